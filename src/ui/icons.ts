/** Text from outside for a place where VS Code draws `$(name)` as an icon: none may be taken for one. */
export function escapeIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
