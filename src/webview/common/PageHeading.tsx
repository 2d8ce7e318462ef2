import type { ComponentChildren } from 'preact';

/** The heading of a page: its title, a line below that, and the actions beside both. */
export function PageHeading(props: { title: string; facts: string; children: ComponentChildren }) {
  const { title, facts, children } = props;
  return (
    <header class="page-heading">
      <div>
        <h1 dir="auto" tabIndex={-1}>
          {title}
        </h1>
        <p class="muted" dir="auto">
          {facts}
        </p>
      </div>
      {children}
    </header>
  );
}
