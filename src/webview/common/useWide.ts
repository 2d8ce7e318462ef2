import { useEffect, useState } from 'preact/hooks';

/** True while the page is at least so many pixels wide; also where there is no page yet. */
export function useWide(pixels: number): boolean {
  const [query] = useState(() =>
    typeof matchMedia === 'undefined' ? undefined : matchMedia(`(min-width: ${pixels}px)`),
  );
  const [wide, setWide] = useState(query?.matches ?? true);
  useEffect(() => {
    if (!query) {
      return;
    }
    const update = (): void => setWide(query.matches);
    update();
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, [query]);
  return wide;
}
