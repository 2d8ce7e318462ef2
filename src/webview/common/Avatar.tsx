import { useState } from 'preact/hooks';
import { initials } from './initials.ts';

/** Someone's profile picture, or their initials where there is none that can be shown. Decorative: the name stands beside it. */
export function Avatar({
  name,
  source,
  size,
}: {
  name: string;
  source?: string | undefined;
  size: 'large' | 'small' | 'tiny';
}) {
  const [broken, setBroken] = useState<string>();
  return (
    <span class={`avatar avatar-${size}`} aria-hidden="true">
      {source !== undefined && source !== broken ? (
        <img src={source} alt="" onError={() => setBroken(source)} />
      ) : (
        initials(name)
      )}
    </span>
  );
}
