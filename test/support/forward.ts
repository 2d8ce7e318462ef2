import type { Fault, FaultServer, SeenRequest } from './faultServer.ts';

/** Passes every request on to a service, and its answer back: for a server that misbehaves only where it is told to. */
export function forwardTo(serviceUrl: string, except?: (request: SeenRequest) => Fault | undefined): Fault {
  return async (response, request, attempt) => {
    const fault = except?.(request);
    if (fault) {
      await fault(response, request, attempt);
      return;
    }
    const answer = await passOn(serviceUrl, request);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}

/** Puts a server before a service, which passes everything on until it is told something else. @returns its address, for windows. */
export function reachedThrough(proxy: FaultServer): (serviceUrl: string) => Promise<string> {
  return async (serviceUrl) => {
    proxy.use(forwardTo(serviceUrl));
    return proxy.url;
  };
}

/** Passes a request on to a service, for whoever decides what becomes of the answer. */
export function passOn(serviceUrl: string, { method, url, headers, body }: SeenRequest): Promise<Response> {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || ['host', 'connection', 'content-length'].includes(name)
      ? []
      : [[name, String(value)]],
  );
  return fetch(new URL(url, serviceUrl), {
    method,
    headers: kept,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
    redirect: 'manual',
  });
}
