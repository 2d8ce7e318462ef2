/** Says what is wrong with the package that was made, if anything. */
import { packageFile } from '../tools/makePackage.ts';
import { complaintsAbout } from '../tools/packageContents.ts';
import { complaintsAboutNotedSizes } from '../tools/packageSizes.ts';
import { say } from '../tools/progress.ts';

const complaints = [
  ...(await complaintsAbout(packageFile)),
  ...(await complaintsAboutNotedSizes(packageFile)),
];
for (const complaint of complaints) {
  say(complaint);
}
process.exitCode = complaints.length > 0 ? 1 : 0;
