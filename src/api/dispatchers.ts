/**
 * The parts of undici that the client needs: half of its size. They are put together here as undici's own index does it, and
 * its version is pinned; the tests of the client run over them.
 */
import connect from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

// The one way to ask that an agent itself uses, for its tunnels through a proxy.
Object.assign(Dispatcher.prototype, { connect });

export { Agent, EnvHttpProxyAgent };
