// The rules of guard 3 (specification, section 2), as an operator writes them.
import * as v from 'valibot'
import { Website } from '../../contract/schemas/fields.ts'

const UNSAFE = /[\p{Cc}\p{Z}\\]/u
/** What guards 1 and 2 lead to: leading on from there, inside of the app, would go round in circles. */
const GUARD_TARGETS = ['/auth', '/organisations']

const isPath = (text: string) => /^\/(?!\/)/.test(text) && !UNSAFE.test(text)
/** Another site, and nobody's name before its own: https://cairn.example@evil.example is not Cairn. */
const isExternalUrl = (text: string) =>
  /^https?:\/\//.test(text) &&
  !UNSAFE.test(text) &&
  v.is(Website, text) &&
  new URL(text).username === ''
const pathOf = (to: string) => to.split(/[?#]/, 1).join('')

const RedirectRule = v.pipe(
  v.strictObject({ from: v.string(), to: v.string(), external: v.optional(v.boolean(), false) }),
  v.check(({ from }) => isPath(from) && !/[?#]/.test(from), 'from must be a path, such as /help.'),
  v.check(
    ({ to, external }) => (external ? isExternalUrl(to) : isPath(to)),
    'to must be a path of the app, or, with external, an address that begins with https:// or http://.',
  ),
  v.check(
    ({ from, external }) => external || !GUARD_TARGETS.includes(from),
    'from where the app leads people by itself, a rule leads outside or nowhere.',
  ),
)

/** None that runs, leads astray or goes round in circles. */
export const RedirectRules = v.pipe(
  v.array(RedirectRule),
  v.check(
    (rules) => new Set(rules.map(({ from }) => from)).size === rules.length,
    'a path is led on from once.',
  ),
  v.check(
    (rules) => rules.every(({ to }) => !rules.some(({ from }) => from === pathOf(to))),
    'a rule must not lead to where another one leads on.',
  ),
)
