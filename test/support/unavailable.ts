/** The two reasons for which a service does not give something: it is gone, or nobody knows. */
import { ConnectionError, NotFoundError } from '../../src/api/errors.ts';

const context = {
  operation: 'patches.get',
  method: 'GET',
  pathTemplate: '/patch/{change_id}',
  requestNumber: 1,
};

/** The service has it no more. */
export const gone = new NotFoundError('not found', context, { status: 404 });

/** The service does not answer. */
export const outOfReach = new ConnectionError('down', context, { code: 'ECONNRESET' });
