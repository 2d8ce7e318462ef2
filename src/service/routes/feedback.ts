import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import { HttpError, invalid } from '../errors.ts';
import {
  bodyChunks,
  freeText,
  line,
  mediaType,
  requireJson,
  validate,
  type RequestContext,
  type RequestEnvironment,
} from '../requests.ts';
import type { Database } from '../storage/database.ts';
import {
  AttachmentWriter,
  createFeedback,
  deleteAttachments,
  type AttachmentKind,
} from '../storage/feedback.ts';
import { JsonStringsReader, type StringSink } from '../uploads/jsonStrings.ts';
import { readMultipart, type FileSink } from '../uploads/multipart.ts';

/** The largest body with all of its attachments, in bytes, however they are encoded. */
const largestFeedback = 1024 * 1024 * 1024;

/** The longest message or context, in characters. */
const longestText = 1_000_000;

const feedbackSchema = v.object({
  email: v.optional(
    v.union([v.literal(''), v.pipe(line(320), v.regex(/^[^@\s]+@[^@\s]+$/))], 'must be an email address'),
  ),
  message: v.optional(freeText(longestText)),
  context: v.optional(freeText(longestText)),
});

const attachmentKinds: ReadonlySet<string> = new Set<AttachmentKind>(['logs', 'repo', 'data']);

function isAttachment(name: string): name is AttachmentKind {
  return attachmentKinds.has(name);
}

/**
 * The operation on feedback (contract §4, Feedback). Attachments come as Base64 in JSON or as files in
 * multipart/form-data; either way they go to the database as they arrive, a chunk at a time.
 */
export function addFeedbackRoutes(api: Hono<RequestEnvironment>, database: Database): void {
  api.put('/feedback', async (context) => {
    const written: AttachmentWriter[] = [];
    const attach = (kind: AttachmentKind, fileName: string): FileSink => {
      const writer = new AttachmentWriter(database, kind, fileName);
      written.push(writer);
      return writer;
    };
    try {
      const values =
        mediaType(context) === 'multipart/form-data'
          ? await readForm(context, attach)
          : await readStrings(context, attach);
      const { email, message, context: clientContext } = validate(feedbackSchema, values);
      if (!email && !message && !clientContext && written.length === 0) {
        throw new HttpError(422, 'invalid', 'The feedback is empty. Send a message or an attachment.');
      }
      createFeedback(
        database,
        {
          userId: context.get('user').id,
          email,
          message,
          context: clientContext,
        },
        written.map(({ id }) => id),
      );
      return context.body(null, 204);
    } catch (error) {
      deleteAttachments(
        database,
        written.map(({ id }) => id),
      );
      throw error;
    }
  });
}

type Attach = (kind: AttachmentKind, fileName: string) => FileSink;

async function readForm(context: RequestContext, attach: Attach): Promise<Record<string, string>> {
  return readMultipart(context, largestFeedback, (name, fileName) => {
    if (!isAttachment(name)) {
      throw invalid(name, "can't be a file");
    }
    return attach(name, fileName || `${name}.zip`);
  });
}

async function readStrings(context: RequestContext, attach: Attach): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const reader = new JsonStringsReader((name) =>
    isAttachment(name)
      ? base64Sink(name, attach(name, `${name}.zip`))
      : textSink((text) => {
          values[name] = text;
        }),
  );
  let empty = true;
  for await (const chunk of bodyChunks(context, largestFeedback)) {
    if (empty) {
      requireJson(context);
    }
    empty = false;
    reader.write(chunk);
  }
  if (!empty) {
    reader.end();
  }
  return values;
}

/** Collects a text. @throws HttpError 413 when it gets longer than any text may be */
function textSink(done: (text: string) => void): StringSink {
  let text = '';
  return {
    write(more) {
      text += more;
      if (text.length > longestText * 2) {
        throw new HttpError(413, 'too_large', 'The text of the feedback is too long.');
      }
    },
    end: () => done(text),
  };
}

/** Decodes Base64 as it arrives. @throws HttpError 422 when it is none */
function base64Sink(name: AttachmentKind, sink: FileSink): StringSink {
  let rest = '';
  let padded = false;
  return {
    write(more) {
      const text = rest + more.replaceAll(/\s/g, '');
      const whole = text.length - (text.length % 4);
      rest = text.slice(whole);
      if (whole === 0) {
        return;
      }
      if (padded || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text.slice(0, whole))) {
        throw invalid(name, 'must be Base64');
      }
      padded = text.charAt(whole - 1) === '=';
      sink.write(Buffer.from(text.slice(0, whole), 'base64'));
    },
    end() {
      if (rest !== '') {
        if (padded || rest.length === 1 || !/^[A-Za-z0-9+/_-]+$/.test(rest)) {
          throw invalid(name, 'must be Base64');
        }
        sink.write(Buffer.from(rest, 'base64'));
      }
      sink.end();
    },
  };
}
