/** A tag among others, in quotes where it would be read as several. */
const quoted = (tag: string) => (/[,;|]|^"/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)

/** Tags in a field of a form, or a cell of a table. */
export const writeTags = (tags: readonly string[]): string => tags.map(quoted).join(', ')

/** The tags in that text. Quotes that do not enclose a whole tag are part of it. */
export const readTags = (text: string): string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")+)"\s*|([^,;|]*))(?:[,;|]|$)/g)]
    .map(([, inner, plain = '']) => inner?.replaceAll('""', '"') ?? plain.trim())
    .filter(Boolean)
