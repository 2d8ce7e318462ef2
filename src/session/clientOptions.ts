import * as vscode from 'vscode';
import type { ApiClientOptions } from '../api/client.ts';
import { readSetting } from '../contributions.ts';
import type { Log } from '../ui/log.ts';

/** A server, and what the person has allowed for it. */
export interface Server {
  /** The API root, as `serverRoot` normalises it. */
  serverUrl: string;
  /** Where it is reached, if that isn't its `serverUrl`: a local service whose port something else has. */
  address?: string;
  /** The person has agreed that everything is sent to it unencrypted, the token too. */
  allowInsecure?: boolean;
}

/** Collects the client's options for a server: this window's own settings, and VS Code's for proxies and certificates. */
export function clientOptions(
  { serverUrl, address = serverUrl, allowInsecure = false }: Server,
  log: Log,
): Omit<ApiClientOptions, 'getToken'> {
  const http = vscode.workspace.getConfiguration('http');
  const timeoutMs = readSetting('requestTimeout') * 1000;
  return {
    serverUrl: address,
    transport: {
      headersTimeoutMs: timeoutMs,
      bodyTimeoutMs: timeoutMs,
      proxy: {
        url: http.get<string>('proxy'),
        noProxy: http.get<string[]>('noProxy'),
        environment: process.env,
      },
      strictSSL: http.get('proxyStrictSSL', true),
      systemCertificates: http.get('systemCertificates', true),
      allowInsecure,
    },
    logger: log,
  };
}
