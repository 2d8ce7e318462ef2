/**
 * Measures one group in this process, and tells whoever has started it:
 *
 *   runGroup.ts GROUP [METRIC]
 *
 * where METRIC is part of the names of the metrics that are wanted.
 */
import { orUnmeasured, type Group } from './measure.ts';

const [name = '', metric = ''] = process.argv.slice(2);
const { group } = (await import(`./groups/${name}.ts`)) as { group: Group };
const rows = await orUnmeasured(name, () => group.run((one) => one.includes(metric)));
process.send?.(rows, () => process.disconnect());
