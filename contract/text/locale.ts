/** The only language of the app and its emails, as a BCP 47 tag (specification, section 9). */
export const LOCALE = 'en'

/** A locale whose formats have a sign of its own for each currency that has one: `US$`, `CA$`, `JP¥`. */
export const CURRENCY_SIGNS = 'en-GB'
