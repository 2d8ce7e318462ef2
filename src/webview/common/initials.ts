/** The first letters of the first and the last word. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word = '') => firstLetter(word)).join('');
}

/** As people see it: it may be made of several characters. */
function firstLetter(word: string): string {
  const [first] = new Intl.Segmenter().segment(word);
  return (first?.segment ?? '').toLocaleUpperCase();
}
