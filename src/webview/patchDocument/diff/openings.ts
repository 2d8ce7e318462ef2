import { useRemembered } from '../reading/reading.ts';
import type { Opening } from './arrange.ts';

/** The gaps between the changes of a file that the person has opened, and how far. */
export type Openings = ReadonlyMap<number, Opening>;

const none: Openings = new Map();

/** The openings of a file's diff, as long as it is the same one. */
export function useOpenings(
  code: string,
  text: string | undefined,
): [Openings, (openings: Openings) => void] {
  const [kept, keep] = useRemembered<{ text: string; openings: Openings } | undefined>(
    `openings ${code}`,
    undefined,
  );
  return [
    kept !== undefined && kept.text === text ? kept.openings : none,
    (openings) => keep(text === undefined ? undefined : { text, openings }),
  ];
}
