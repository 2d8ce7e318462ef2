import { useEffect, useState } from 'preact/hooks';

/** Whether the page is at least so many pixels wide, now and whenever it changes. */
export function useWide(pixels: number): boolean {
  const [query] = useState(() => matchMedia(`(min-width: ${pixels}px)`));
  const [wide, setWide] = useState(query.matches);
  useEffect(() => {
    const update = (): void => setWide(query.matches);
    update();
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, [query]);
  return wide;
}
