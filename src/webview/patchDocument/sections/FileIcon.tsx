import { useReadingState } from '../reading/reading.ts';

/** The icon of a file in the person's file icon theme; until it is there, and where they have none, that of VS Code. */
export function FileIcon({ path }: { path: string }) {
  const icon = useReadingState(({ icons }) => icons.get(path));
  if (!icon) {
    return <i class="codicon codicon-file-code" aria-hidden="true" />;
  }
  return 'image' in icon ? (
    <img class="file-icon" src={icon.image} alt="" />
  ) : (
    <span
      class="file-icon"
      aria-hidden="true"
      style={{ fontFamily: icon.font, fontSize: icon.size, color: icon.color }}
    >
      {icon.character}
    </span>
  );
}
