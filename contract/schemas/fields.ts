// Field schemas. Requests are checked strictly; answers are read leniently, because the app also
// works with other servers of the same contract.
import { validationMessages as messages } from '../text/messages.ts'
import { LOCALE } from '../text/locale.ts'
import * as v from 'valibot'

const UNSAFE_LINE =
  /[\p{Cc}\p{Surrogate}\p{Bidi_Control}\p{Noncharacter_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/u
const UNSAFE_TEXT = /(?![\t\n\r])[\p{Cc}\p{Surrogate}]/u
/** Characters that show nothing (Unicode, Default_Ignorable_Code_Point), and the blank of braille. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu
/** They shape the character before them: in emoji, and in scripts such as Persian. Behind a Latin letter they hide. */
const JOINED =
  /([^\s\p{Default_Ignorable_Code_Point}\p{Script=Latin}])(?:\u200C|\u200D|\uFE0E|\uFE0F)+/gu

const withoutJoiners = (value: string) => value.replaceAll(JOINED, '$1')
const hasInvisible = (value: string) => withoutJoiners(value).search(INVISIBLE) !== -1
/** Whether some of the text can be seen. */
export const isVisible = (value: string) => value.replaceAll(INVISIBLE, '').trim() !== ''

/**
 * One line of text, trimmed, 1 to `maxLength` characters, of which one is visible, without characters that hide or
 * reorder others.
 */
export const line = (maxLength = 255) =>
  v.pipe(
    v.string(messages.text),
    v.trim(),
    v.minLength(1, messages.notEmpty),
    v.maxLength(maxLength, messages.maxCharacters(maxLength)),
    v.check((text) => !UNSAFE_LINE.test(text), messages.controlCharacters),
    v.check((text) => isVisible(text) || text.trim() === '', messages.notEmpty),
    v.check(
      (text) => UNSAFE_LINE.test(text) || !isVisible(text) || !hasInvisible(text),
      messages.invisibleCharacters,
    ),
  )

/** Text over several lines, at most `maxLength` characters, without other control characters. May be empty. */
export const text = (maxLength = 10_000) =>
  v.pipe(
    v.string(messages.text),
    v.trim(),
    v.maxLength(maxLength, messages.maxCharacters(maxLength)),
    v.check((value) => !UNSAFE_TEXT.test(value), messages.controlCharacters),
  )

/** A UUID in a request, lower-cased. */
export const Uuid = v.pipe(v.string(messages.id), v.toLowerCase(), v.uuid(messages.invalidId))
/** The id of a record that its device makes. The server stores under the nil UUID what belongs to no organisation. */
export const NewId = v.pipe(Uuid, v.regex(/[1-9a-f]/, messages.invalidId))
/** Whether the text is a UUID of any version. */
export const isUuid = (text: string): boolean => v.is(Uuid, text)

/** An id in an answer, as a string. Some servers send numbers. */
export const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.minLength(1))

const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Whether the text is an existing day of the years 1 to 9999, `YYYY-MM-DD`. A list of plans has two in each row. */
export const isCalendarDay = (day: string) => {
  const match = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.exec(day)
  if (!match || match[1] === '0000') return false
  const [month, date] = [Number(match[2]), Number(match[3])]
  if (month === 2) return date <= (isLeapYear(Number(match[1])) ? 29 : 28)
  return date <= 30 || ![4, 6, 9, 11].includes(month)
}

/** An existing calendar day in a request, `YYYY-MM-DD`. Days are never converted between time zones. */
export const Day = v.pipe(v.string(messages.day), v.check(isCalendarDay, messages.existingDay))

/** A day in an answer, cut to ten characters: some servers send an instant. */
export const ReadDay = v.pipe(
  v.string(),
  v.transform((value) => value.slice(0, 10)),
  v.check(isCalendarDay),
)

const isInstant = (value: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
  // The parser would move 30 February to March.
  isCalendarDay(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value)) &&
  // The offset may lead to a year that cannot be stored.
  isCalendarDay(new Date(value).toISOString().slice(0, 10))

/** An instant in a request: ISO 8601 with an offset, of the years 1 to 9999, normalised to UTC with milliseconds. */
export const Instant = v.pipe(
  v.string(messages.instant),
  v.check(isInstant, messages.instant),
  v.transform((value) => new Date(value).toISOString()),
)

/** What databases write without a zone is UTC; a browser would take it for the user's own zone. */
const withZone = (value: string) =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(value)
    ? `${value.replace(' ', 'T')}Z`
    : value

/** ISO 8601, or as HTTP has it. Browsers also take `01/03/2026` for a day of January, and `Room 5` for one of 2001. */
const READ_INSTANT = /^(?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2}, \d\d )/

/** An instant in an answer. */
export const ReadInstant = v.pipe(
  v.string(),
  v.transform(withZone),
  v.check((value) => READ_INSTANT.test(value) && !Number.isNaN(Date.parse(value))),
)

/** An email address, lower-cased. */
export const EmailAddress = v.pipe(
  v.string(messages.email),
  v.trim(),
  v.toLowerCase(),
  v.maxLength(255, messages.maxCharacters(255)),
  v.email(messages.validEmail),
)

/**
 * A phone number as people write it, also with an extension. With a digit, and without what a browser would take
 * for another address.
 */
export const Phone = v.pipe(line(40), v.regex(/^(?=.*\d)[\d +\-()./ext]+$/i, messages.phone))

function parseUrl(value: string): URL | undefined {
  try {
    return new URL(value)
  } catch {
    return undefined
  }
}

/** Stricter than the URL parser, which takes `https:example.com` and `https:///example.com` as well. */
const isWebAddress = (value: string) =>
  /^https?:\/\/[^/\\]/i.test(value) && parseUrl(value) !== undefined

/** What is typed as host and port, with a user name before `@`. */
const authorityOf = (value: string) => /^https?:\/\/([^/?#]*)/i.exec(value)?.[1] ?? ''

/** The address as the browser resolves it if that has another host than was typed; else unchanged. */
const withResolvedHost = (value: string) => {
  const url = parseUrl(value)
  return url && url.host !== authorityOf(value) ? url.href : value
}

/**
 * An http or https URL. Other schemes, such as `javascript:`, are unsafe in a link; a user name in it looks like the
 * host.
 */
export const Website = v.pipe(
  v.string(messages.website),
  v.trim(),
  v.maxLength(255, messages.maxCharacters(255)),
  v.check(
    (value) => !UNSAFE_LINE.test(value) && !hasInvisible(value) && isWebAddress(value),
    messages.httpsWebsite,
  ),
  v.check((value) => !authorityOf(value).includes('@'), messages.userInWebsite),
  v.transform(withResolvedHost),
)

/** An integer from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.number(messages.wholeNumberFrom(min, max)),
    v.integer(messages.wholeNumber),
    v.minValue(min, messages.atLeast(min)),
    v.maxValue(max, messages.atMost(max)),
  )

/**
 * The sort key of a record among its siblings. A moved record gets a number between its new
 * neighbours, so that only one record changes.
 */
export const Position = v.pipe(
  v.number(messages.number),
  v.finite(messages.number),
  v.minValue(-1e9, messages.largerNumber),
  v.maxValue(1e9, messages.smallerNumber),
)

/** One of `values`, in a request. */
export const oneOf = <const Words extends readonly string[]>(values: Words) =>
  v.picklist(values, messages.oneOf(values))

/** A field that may be missing or null in an answer; null after parsing. */
export const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema, null)

/** A word of a list in an answer. An empty one is none: some servers store what a form leaves blank. */
export const Word = v.pipe(v.string(), v.minLength(1))

/** A field that a request may omit, or clear with null. */
export const clearable = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(v.nullable(schema))

/** The version of a record; 0 from servers that do not count versions. */
export const Version = v.optional(v.number(), 0)

/** Zones that were found: there are some 600. Others are not stored, or made-up ones would fill the memory. */
const KNOWN_TIME_ZONES = new Set<string>()

function isTimeZone(zone: string): boolean {
  if (KNOWN_TIME_ZONES.has(zone)) return true
  try {
    // The name in its usual case: otherwise each spelling would be stored.
    const format = new Intl.DateTimeFormat(LOCALE, { timeZone: zone })
    if (format.resolvedOptions().timeZone === zone) KNOWN_TIME_ZONES.add(zone)
    return true
  } catch {
    return false
  }
}

/** An IANA time zone that the runtime knows, such as Europe/Paris. */
export const TimeZone = v.pipe(
  v.string(messages.timeZone),
  v.check(isTimeZone, messages.knownTimeZone),
)

/** An ISO 4217 currency code. */
export const Currency = v.pipe(
  v.string(messages.currency),
  v.toUpperCase(),
  v.regex(/^[A-Z]{3}$/, messages.currencyCode),
)
