import * as vscode from 'vscode';
import type { ApiClientOptions } from '../api/client.ts';
import { readSetting } from '../contributions.ts';
import type { Log } from '../ui/log.ts';

/** How this window reaches a server: its own settings, and VS Code's for proxies and certificates. */
export function clientOptions(serverUrl: string, log: Log): Omit<ApiClientOptions, 'getToken'> {
  const http = vscode.workspace.getConfiguration('http');
  const timeout = readSetting('requestTimeout') * 1000;
  return {
    serverUrl,
    transport: {
      headersTimeout: timeout,
      bodyTimeout: timeout,
      proxy: {
        url: http.get<string>('proxy'),
        noProxy: http.get<string[]>('noProxy'),
        environment: process.env,
      },
      strictSSL: http.get('proxyStrictSSL', true),
      systemCertificates: http.get('systemCertificates', true),
    },
    logger: log,
  };
}
