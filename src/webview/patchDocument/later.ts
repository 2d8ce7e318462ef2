/**
 * Loads the script of a page that has a beginning (see prerender.tsx) without being waited for: VS Code shows the page once
 * everything that it names has been loaded. The icons come with the first frame that is shown, for their font would be
 * waited for, too.
 */
addEventListener('load', () => document.querySelector('.beginning')?.classList.add('shown'));
void import('./main.tsx');
