import type { Metafile } from 'esbuild';

export interface Library {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly folder: string;
}
export declare function bundledLibraries(metafiles: readonly Metafile[]): Promise<Library[]>;
export declare function complaintsAboutDependencies(
  libraries: readonly Library[],
  manifest: {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  },
): string[];
export declare function noticesOf(libraries: readonly Library[]): Promise<string>;
