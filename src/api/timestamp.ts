/**
 * Reads a timestamp as services write them: ISO 8601, or epoch seconds or milliseconds, as a number or as text.
 * Returns undefined for anything else: show such a text as it came.
 */
export function parseTimestamp(value: string | number | undefined): Date | undefined {
  if (value === undefined) {
    return undefined;
  }
  const text = String(value).trim();
  if (/^-?\d+(\.\d+)?$/.test(text)) {
    return epochDate(Number(text));
  }
  // Date.parse guesses at almost any text; only what looks like ISO 8601 may reach it.
  const iso =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i.exec(
      text,
    );
  if (!iso) {
    return undefined;
  }
  const [, day = '', time = '00:00', zone = 'Z'] = iso;
  return validDate(Date.parse(`${day}T${time.replace(',', '.')}${isoZone(zone)}`));
}

/** A timestamp as ISO 8601, in UTC; what cannot be read stays as it came. */
export function isoTime(value: string): string {
  return parseTimestamp(value)?.toISOString() ?? value;
}

/** Seconds until the year 5138, milliseconds from then on: no real date is claimed by both. */
function epochDate(epoch: number): Date | undefined {
  return validDate(Math.abs(epoch) < 1e11 ? epoch * 1000 : epoch);
}

function validDate(milliseconds: number): Date | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `Z` or `+hh:mm`; a timestamp without a zone is taken as UTC, as services store them. */
function isoZone(zone: string): string {
  if (/^(Z|UTC)$/i.test(zone)) {
    return 'Z';
  }
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
