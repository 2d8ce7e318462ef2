import type { Fault, SeenRequest } from './faultServer.ts';

/** Passes every request on to a service, and its answer back: for a server that misbehaves only where it is told to. */
export function forwardTo(serviceUrl: string, except?: (request: SeenRequest) => Fault | undefined): Fault {
  return async (response, request, attempt) => {
    const fault = except?.(request);
    if (fault) {
      await fault(response, request, attempt);
      return;
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || ['host', 'connection', 'content-length'].includes(name)
        ? []
        : [[name, String(value)]],
    );
    const answer = await fetch(new URL(request.url, serviceUrl), {
      method: request.method,
      headers,
      ...(request.body.length > 0 && { body: new Uint8Array(request.body) }),
      redirect: 'manual',
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}
