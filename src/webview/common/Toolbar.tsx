import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Controls that can't be used are passed over, unless they have the focus already; those that are pressed say something. */
const controls = "button:not([aria-disabled='true']:not([aria-pressed='true'], :focus)), input";

/**
 * Buttons with one stop of the Tab key, at first the one that is current: the arrow keys, Home and End go from one to the next.
 */
export function Toolbar(props: { label: string; class?: string; children: ComponentChildren }) {
  const toolbar = useRef<HTMLDivElement>(null);
  const stop = useRef<HTMLElement>(null);

  const items = (): HTMLElement[] => [...(toolbar.current?.querySelectorAll<HTMLElement>(controls) ?? [])];
  const stopAt = (wanted: EventTarget | null): void => {
    const all = items();
    stop.current =
      all.find((item) => item === wanted) ?? all.find(({ ariaCurrent }) => ariaCurrent) ?? all[0] ?? null;
    for (const item of all) {
      item.tabIndex = item === stop.current ? 0 : -1;
    }
  };
  // Each time it is drawn: some of its buttons may have come or gone.
  useLayoutEffect(() => stopAt(stop.current));

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.findIndex((item) => item === event.target);
    const next = {
      ArrowRight: (at + 1) % all.length,
      ArrowLeft: (at + all.length - 1) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (at >= 0 && next !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      all[next]?.focus();
    }
  };
  return (
    <div
      class={props.class}
      role="toolbar"
      aria-label={props.label}
      ref={toolbar}
      onKeyDown={onKeyDown}
      onFocusIn={(event) => stopAt(event.target)}
    >
      {props.children}
    </div>
  );
}
