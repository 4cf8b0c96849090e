/** A tag for a list of tags, in quotes if it would otherwise be read as several. */
const quoted = (tag: string) => (/[,;|]|^"/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)

/** Tags in a field of a form, or a cell of a table. */
export const writeTags = (tags: readonly string[]): string => tags.map(quoted).join(', ')

/** A tag in a field of a form: its hint names only the comma as a separator. */
const TYPED = /\s*(?:"((?:[^"]|"")+)"\s*|([^,]*))(?:,|$)/g
/** A tag in a cell of a table: other programs also separate tags by semicolons and bars. */
const IN_TABLES = /\s*(?:"((?:[^"]|"")+)"\s*|([^,;|]*))(?:[,;|]|$)/g

const reader = (tag: RegExp) => (text: string) =>
  [...text.matchAll(tag)]
    .map(([, inner, plain = '']) => inner?.replaceAll('""', '"') ?? plain.trim())
    .filter(Boolean)

/** The tags in a field of a form. Quotes that do not enclose a whole tag are part of it. */
export const readTypedTags = reader(TYPED)

/** The tags in a cell of a table. */
export const readTableTags = reader(IN_TABLES)
