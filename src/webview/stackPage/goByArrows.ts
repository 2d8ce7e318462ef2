/** From line to line of a list or a table by the arrow keys, as in any list. */
export function goByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const titles = [...event.currentTarget.querySelectorAll<HTMLElement>('.title')];
  const target = event.target instanceof Element ? event.target.closest('li, tr') : null;
  const at = titles.findIndex((title) => target?.contains(title) === true);
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: titles.length - 1,
  };
  const next = titles[steps[event.key] ?? -1];
  // Home and End are of the toolbar that has the focus, if one has.
  if (next && at >= 0 && !event.defaultPrevented) {
    event.preventDefault();
    next.focus();
  }
}
