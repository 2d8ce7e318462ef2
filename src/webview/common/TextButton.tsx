import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { hasSelectedText } from './selectedText.ts';

/** Pixels that the pointer may move while it presses. */
const steady = 4;

/** A button whose text is part of what is read: it can be selected and copied, which that of a button element cannot. */
export function TextButton(props: {
  class: string;
  title?: string;
  expanded?: boolean;
  onPress: () => void;
  children: ComponentChildren;
}) {
  const { onPress } = props;
  const pressed = useRef({ x: 0, y: 0 });
  return (
    <span
      role="button"
      tabIndex={0}
      class={`text-button ${props.class}`}
      title={props.title}
      aria-expanded={props.expanded}
      onPointerDown={({ clientX, clientY }) => (pressed.current = { x: clientX, y: clientY })}
      onClick={({ currentTarget, clientX, clientY }) => {
        const { x, y } = pressed.current;
        const hasMoved = Math.hypot(clientX - x, clientY - y) > steady;
        if (!hasMoved || !hasSelectedText(currentTarget)) {
          onPress();
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          event.stopPropagation();
          onPress();
        }
      }}
    >
      {props.children}
    </span>
  );
}
