/** Icons of files as the person's icon theme has them, as they are asked for and answered. */
import type { ThemeName } from './coloring.ts';

/** Files whose icons are asked for. */
export interface FilesWithIcons {
  paths: string[];
  kind: ThemeName['kind'];
}

/** An icon: an image, or a character of a font. */
export type FileIcon =
  | {
      /** The address that shows it. */
      image: string;
    }
  | {
      character: string;
      /** The index of the font. */
      font: number;
      /** As the theme writes it: `#rrggbb`. */
      color?: string;
    };

/** See the module. */
export interface FileIcons {
  icons: FileIcon[];
  /** In base 64, with the size of its characters: `150%`. */
  fonts: { content: string; size?: string }[];
  /** The index of the icon of each file that has one. */
  files: Record<string, number>;
}

/** Files that are asked for at once. */
export const mostIcons = 2_000;
