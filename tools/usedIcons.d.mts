import type { Plugin } from 'esbuild';

export declare const usedIcons: Plugin;
export declare function namedIcons(text: string): Set<string>;
export declare function drawnCharacters(text: string): Set<number>;
