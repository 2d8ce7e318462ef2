export declare const nodeChecksums: Readonly<Record<string, Readonly<Record<string, string>>>>;
export declare function nodePackage(platform: string, arch: string): string;
export declare function complaintAboutNode(root: string, name?: string): string | undefined;
