/** The same work each time: how long it takes says what the machine can do at the moment, and how steadily. */

/** Milliseconds of a processor that it takes on the machine that the limits of the adversary tests were set on. */
export const usualMilliseconds = 40;

/** Milliseconds of a processor that it takes here and now, one time after the other. */
export function timeYardstick(times: number): number[] {
  // What compiles it is for none of them to pay.
  yardstick();
  return Array.from({ length: times }, () => {
    const before = process.cpuUsage();
    yardstick();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

/** Some of what the extension does as well: strings that are searched, and objects that are made of them. */
function yardstick(): number {
  const words = 'Some words of prose, and (a b.c) code. '.repeat(2000);
  let found = 0;
  for (let round = 0; round < 10; round++) {
    found += words.replaceAll(/\b(\w)(\w*)/gu, '$2$1').length;
    found += (JSON.parse(JSON.stringify(words.split(' '))) as string[]).toSorted().length;
  }
  return found;
}
