/** The language of the app and of its emails, as a BCP 47 tag: the only one offered (specification, section 9). */
export const LOCALE = 'en'
