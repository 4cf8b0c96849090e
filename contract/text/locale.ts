/** The only language of the app and its emails, as a BCP 47 tag (specification, section 9). */
export const LOCALE = 'en'
