/** A name as the part of a path that people read; empty when nothing of it can be in one. */
export function pathPart(name: string): string {
  return name
    .replaceAll(/[/\\:*?"<>|]+/g, ' ')
    .trim()
    .slice(0, 60)
    .trim();
}
