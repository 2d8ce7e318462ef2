/** What a page shows, as shapes that can be drawn. */

/** A part of a page, in its pixels, and perhaps which elements there are meant. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
  /** The elements that alone are meant, with what is in them. */
  only?: string;
  /** Those that are not. */
  without?: string;
}

/** One shape, in pixels of the page. A text has its `y` at the line that it stands on, and its size as `height`. */
export interface Shape {
  kind: 'surface' | 'frame' | 'icon' | 'text';
  x: number;
  y: number;
  width: number;
  height: number;
  color: string;
  opacity: number;
  radius: number;
  /** Of an icon: its character, and none for that of a tab. */
  text: string;
  /** Of a text: monospaced, bold, italic, underlined, each by its first letter. Of a frame: the style of its line. */
  look: string;
  /** Degrees by which an icon is turned. */
  turned: number;
}

/** Runs in a page, and so has all that it needs within it: the shapes in a part of it, what lies over other things after those. */
export function shapesIn(body: Element, part: Part): Shape[] {
  const context = document.createElement('canvas').getContext('2d');
  const shapes: Shape[] = [];
  const right = part.x + part.width;
  const bottom = part.y + part.height;
  type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

  /** Also that of what stands in an editor, which has a tree of its own. */
  const parentOf = (element: Element): Element | null => {
    const tree = element.getRootNode();
    return element.parentElement ?? (tree instanceof ShadowRoot ? tree.host : null);
  };
  /** What of a box is seen, between the edges of the part and of what cuts it off. */
  const seen = (box: Box, element: Element): Box | undefined => {
    let [l, t, r, b] = [
      Math.max(box.left, part.x),
      Math.max(box.top, part.y),
      Math.min(box.right, right),
      Math.min(box.bottom, bottom),
    ];
    for (let around = parentOf(element); around; around = parentOf(around)) {
      if (getComputedStyle(around).overflow !== 'visible' && around !== document.documentElement) {
        const edge = around.getBoundingClientRect();
        [l, t, r, b] = [
          Math.max(l, edge.left),
          Math.max(t, edge.top),
          Math.min(r, edge.right),
          Math.min(b, edge.bottom),
        ];
      }
    }
    return r > l && b > t ? { left: l, top: t, right: r, bottom: b } : undefined;
  };
  const opacityOf = (element: Element): number => {
    const own = Number(getComputedStyle(element).opacity);
    const parent = parentOf(element);
    return parent ? own * opacityOf(parent) : own;
  };
  const isClear = (color: string): boolean => /, 0\)$|\/ 0\)$|^transparent$/.test(color);
  const add = (element: Element, shape: Partial<Shape> & Pick<Shape, 'kind' | 'color'>, box: Box): void => {
    shapes.push({
      ...{ x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top },
      ...{ opacity: opacityOf(element), radius: 0, text: '', look: '', turned: 0 },
      ...shape,
    });
  };

  const addSurface = (element: Element, style: CSSStyleDeclaration, box: Box): void => {
    const radius = Math.min(parseFloat(style.borderTopLeftRadius), (box.bottom - box.top) / 2) || 0;
    const turned = turnOf(style);
    const around = (length: number): [number, number] => [-length / 2, length / 2];
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const [[left, right], [top, bottom]] = [parseFloat(style.width), parseFloat(style.height)].map(
      around,
    ) as [[number, number], [number, number]];
    const unturned =
      turned === 0 ? box : { left: x + left, right: x + right, top: y + top, bottom: y + bottom };
    if (!isClear(style.backgroundColor) && style.maskImage === 'none') {
      add(element, { kind: 'surface', color: style.backgroundColor, radius, turned }, unturned);
    }
    if (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 && !isClear(style.outlineColor)) {
      const outside = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth) / 2;
      const around = {
        left: box.left - outside,
        top: box.top - outside,
        right: box.right + outside,
        bottom: box.bottom + outside,
      };
      add(element, { kind: 'frame', color: style.outlineColor, radius, look: style.outlineStyle }, around);
    }
    const sides = (['Top', 'Right', 'Bottom', 'Left'] as const).map((side) => ({
      side,
      width: parseFloat(style[`border${side}Width`]),
      color: style[`border${side}Color`],
    }));
    const drawn = sides.filter(({ width, color }) => width > 0 && !isClear(color));
    if (drawn.length === 4) {
      const inner = {
        left: box.left + 0.5,
        top: box.top + 0.5,
        right: box.right - 0.5,
        bottom: box.bottom - 0.5,
      };
      const look = style.borderTopStyle;
      add(element, { kind: 'frame', color: drawn[0]?.color ?? '', radius, look }, inner);
      return;
    }
    for (const { side, width, color } of drawn) {
      const line = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
      if (side === 'Top') {
        line.bottom = line.top + width;
      } else if (side === 'Bottom') {
        line.top = line.bottom - width;
      } else if (side === 'Left') {
        line.right = line.left + width;
      } else {
        line.left = line.right - width;
      }
      add(element, { kind: 'surface', color }, line);
    }
  };

  /** In degrees. */
  const turnOf = ({ transform }: CSSStyleDeclaration): number => {
    const { a, b } = new DOMMatrix(transform === 'none' ? undefined : transform);
    return Math.round((Math.atan2(b, a) * 180) / Math.PI);
  };

  const isUnderlined = (element: Element): boolean => {
    const { textDecorationLine, display } = getComputedStyle(element);
    const parent = display === 'inline' ? parentOf(element) : null;
    return textDecorationLine.includes('underline') || (parent !== null && isUnderlined(parent));
  };

  /** @param box where the text is, from the top of its letters to their bottom. */
  const addText = (element: Element, text: string, box: Box): void => {
    const style = getComputedStyle(element);
    if (context) {
      context.font = style.font;
    }
    const metrics = context?.measureText(text);
    const [above, below] = [metrics?.fontBoundingBoxAscent ?? 0, metrics?.fontBoundingBoxDescent ?? 0];
    const y = (box.top + box.bottom) / 2 + (above - below) / 2;
    const look = [
      ...(/mono|consolas|courier/i.test(style.fontFamily) ? ['m'] : []),
      ...(Number(style.fontWeight) >= 600 ? ['b'] : []),
      ...(style.fontStyle === 'italic' ? ['i'] : []),
      ...(isUnderlined(element) ? ['u'] : []),
    ].join(' ');
    add(
      element,
      { kind: 'text', color: style.color, text, look, y, height: parseFloat(style.fontSize) },
      box,
    );
  };

  /** @param box its right is where the text ends. */
  const addTextBefore = (element: Element, text: string, box: Box): void => {
    if (context) {
      context.font = getComputedStyle(element).font;
    }
    addText(element, text, { ...box, left: box.right - (context?.measureText(text).width ?? 0) });
  };

  /** What a style puts into an element: an icon, the number of a line, or a line of its own. */
  const addMade = (element: Element, side: '::before' | '::after', box: Box): void => {
    const style = getComputedStyle(element, side);
    if (style.content === '""' && style.position === 'absolute' && !isClear(style.backgroundColor)) {
      const [left, top] = [box.left + parseFloat(style.left), box.top + parseFloat(style.top)];
      const place = {
        left,
        top,
        right: left + parseFloat(style.width),
        bottom: top + parseFloat(style.height),
      };
      add(element, { kind: 'surface', color: style.backgroundColor }, place);
    }
    const text = /^"(.+)"$/u.exec(style.content)?.[1] ?? '';
    if (style.fontFamily.includes('codicon') && text.length === 1) {
      const size = parseFloat(style.fontSize);
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const middle = (box.left + parseFloat(paddingLeft) + box.right - parseFloat(paddingRight)) / 2;
      const [left, top] = [middle - size / 2, (box.top + box.bottom - size) / 2];
      const place = { left, top, right: left + size, bottom: top + size };
      const turned = turnOf(getComputedStyle(element)) + turnOf(style);
      add(element, { kind: 'icon', color: style.color, text, turned }, place);
    } else if (/^[\d+−]+$/.test(text) && element.textContent === '') {
      const end =
        box.right - parseFloat(style.paddingRight) - parseFloat(getComputedStyle(element).paddingRight);
      // It stands in the first line of its cell.
      const bottom = Math.min(box.bottom, box.top + (parseFloat(style.lineHeight) || Infinity));
      addTextBefore(element, text, { ...box, right: end, bottom });
    }
  };

  /** Whether something lies over an element that nothing can be seen through. */
  const isCovered = (element: Element, x: number, y: number): boolean => {
    const tree = element.getRootNode();
    const all = (tree instanceof ShadowRoot ? tree : document).elementsFromPoint(x, y);
    const own = all.findIndex((one) => one.contains(element) || element.contains(one));
    return all.slice(0, Math.max(own, 0)).some((one) => !isClear(getComputedStyle(one).backgroundColor));
  };

  /** The lines of a text, without what is cut off. */
  const addLines = (node: Text, element: Element): void => {
    const range = document.createRange();
    const lines: { text: string; box: Box; isCut: boolean }[] = [];
    for (let index = 0; index < node.data.length; index++) {
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const rect = range.getClientRects()[0];
      // What is spread takes along no getters.
      const box = rect && { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
      const text = node.data[index] ?? '';
      const last = lines.at(-1);
      const isNext = last !== undefined && box !== undefined && Math.abs(last.box.top - box.top) < 2;
      if (!box || box.left === box.right || (text.trim() === '' && !isNext)) {
        continue;
      }
      const shown = seen(box, element);
      const isWhole =
        shown && shown.right >= box.right - 1 && shown.bottom - shown.top > (box.bottom - box.top) / 2;
      if (!isWhole) {
        if (isNext) {
          last.isCut = true;
        }
      } else if (isNext) {
        last.text += text;
        last.box = { ...last.box, right: box.right };
      } else {
        lines.push({ text, box, isCut: false });
      }
    }
    for (const { text, box, isCut } of lines) {
      const trimmed = text.trimEnd();
      const width = box.right - box.left;
      const [x, y] = [box.left + Math.min(width / 2, 8), (box.top + box.bottom) / 2];
      if (trimmed !== '' && !/[\uE000-\uF8FF]/.test(trimmed) && !isCovered(element, x, y)) {
        const end = box.left + (width * trimmed.length) / text.length;
        const isCapital = getComputedStyle(element, '::first-letter').textTransform === 'uppercase';
        const said = isCapital ? trimmed.slice(0, 1).toUpperCase() + trimmed.slice(1) : trimmed;
        addText(element, isCut ? `${said.slice(0, -1)}…` : said, { ...box, right: end });
      }
    }
  };

  const isMeant = (element: Element): boolean =>
    (part.only === undefined || element.closest(part.only) !== null) &&
    (part.without === undefined || element.closest(part.without) === null);
  const addElement = (element: Element): void => {
    const whole = element.getBoundingClientRect();
    const box = whole.width > 1 ? seen(whole, element) : undefined;
    if (!box) {
      return;
    }
    const style = getComputedStyle(element);
    const parts = style.display === 'inline' ? [...element.getClientRects()] : [whole];
    for (const part of parts) {
      const shown = seen(part, element);
      if (shown) {
        addSurface(element, style, shown);
      }
    }
    if (element.className === 'monaco-icon-label-iconpath') {
      const [size, top] = [16, (whole.top + whole.bottom) / 2 - 8];
      const picture = { left: whole.left, right: whole.left + size, top, bottom: top + size };
      add(element, { kind: 'icon', color: style.color, text: '' }, picture);
    }
    const place = { left: whole.left, top: whole.top, right: whole.right, bottom: whole.bottom };
    addMade(element, '::before', place);
    addMade(element, '::after', place);
    if (element instanceof HTMLLIElement && style.listStyleType === 'decimal') {
      const number = [...(element.parentElement?.children ?? [])].indexOf(element) + 1;
      const bottom = whole.top + parseFloat(style.lineHeight);
      addTextBefore(element, `${number}.`, { left: 0, top: whole.top, right: whole.left - 6, bottom });
    }
    if (element instanceof HTMLInputElement && element.type === 'text' && element.value !== '') {
      const left = whole.left + parseFloat(style.paddingLeft) + parseFloat(style.borderLeftWidth);
      if (context) {
        context.font = style.font;
      }
      const end = left + (context?.measureText(element.value).width ?? 0);
      addText(element, element.value, { left, right: end, top: whole.top, bottom: whole.bottom });
    }
  };
  const visit = (element: Element): void => {
    if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && isMeant(element)) {
      addElement(element);
    }
    for (const child of (element.shadowRoot ?? element).childNodes) {
      if (child instanceof Element) {
        visit(child);
        // What is for screen readers alone stands in an element of one pixel.
      } else if (child instanceof Text && element.getBoundingClientRect().width > 1) {
        if (
          element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          isMeant(element)
        ) {
          addLines(child, element);
        }
      }
    }
  };
  visit(body);
  return shapes;
}
