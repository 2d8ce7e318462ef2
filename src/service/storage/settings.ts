import type { Database } from './database.ts';

/** Facts about this service that are kept across starts. */
type SettingName = 'owner_id' | 'shown_branches';

/** A setting's value, or undefined before it was written. */
export function readSetting(database: Database, name: SettingName): string | undefined {
  return database.query<{ value: string }>('SELECT value FROM settings WHERE name = ?').get(name)?.value;
}

/** Writes a setting over what it was. */
export function writeSetting(database: Database, name: SettingName, value: string): void {
  database.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    name,
    value,
  );
}
