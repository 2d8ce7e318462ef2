/** How it is noted which branches of a remote are newer there than in the repository. */
import * as v from 'valibot';

/** See `NewerTip`. */
export const tipsSchema = v.array(
  v.tuple([
    v.string(),
    v.object({ tip: v.string(), instead: v.string(), author: v.string(), committedAt: v.number() }),
  ]),
);
