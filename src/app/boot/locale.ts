// One language is offered: English (specification, section 9). Its cookie is kept all the same, for
// whatever stands before the app and would choose one.
import { LOCALE } from '../../../contract/text/locale.ts'
import { writeCookie } from './cookie.ts'

/** Says in which language the app is, in its page and for a year in the cookie. */
export function applyLocale(): void {
  document.documentElement.lang = LOCALE
  writeCookie('i18n_redirected', LOCALE, 365)
}
