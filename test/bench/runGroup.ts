/**
 * Measures one group in this process, and tells whoever has started it:
 *
 *   runGroup.ts GROUP [ONLY]
 *
 * where ONLY is that of run.ts.
 */
import { orUnmeasured, type Group } from './measure.ts';

const [name = '', only] = process.argv.slice(2);
const { group } = (await import(`./groups/${name}.ts`)) as { group: Group };
const rows = await orUnmeasured(group.name, () =>
  group.run((metric) => only === undefined || group.name === only || metric.includes(only)),
);
process.send?.(rows, () => process.disconnect());
