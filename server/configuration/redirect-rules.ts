// The redirect rules of guard 3 (specification, section 2), as configured by the operator.
import * as v from 'valibot'
import { Website } from '../../contract/schemas/fields.ts'

const UNSAFE = /[\p{Cc}\p{Z}\\]/u
/** Targets of guards 1 and 2. A rule from there to another page of the app would be an endless redirect. */
const GUARD_TARGETS = ['/auth', '/organisations']

const isPath = (text: string) => /^\/(?!\/)/.test(text) && !UNSAFE.test(text)
/** A web address without user info: https://cairn.example@evil.example is not Cairn. */
const isExternalUrl = (text: string) =>
  /^https?:\/\//.test(text) &&
  !UNSAFE.test(text) &&
  v.is(Website, text) &&
  new URL(text).username === ''
/** The path as the app compares it: encoded, without a slash at its end. Empty for what is no path. */
const pathOf = (to: string) =>
  URL.parse(to, 'https://here.invalid')?.pathname.replace(/(.)\/+$/, '$1') ?? ''

interface Rule {
  from: string
  to: string
  external: boolean
}

/** From `/help/` to `/help`, which are one path to the app. One that is written the same is a mistake. */
const isSpelling = ({ from, to, external }: Rule) =>
  !external && pathOf(from) === pathOf(to) && from !== to.split(/[?#]/, 1)[0]

const RedirectRule = v.pipe(
  v.strictObject({ from: v.string(), to: v.string(), external: v.optional(v.boolean(), false) }),
  v.check(({ from }) => isPath(from) && !/[?#]/.test(from), 'from must be a path, such as /help.'),
  v.check(
    ({ to, external }) => (external ? isExternalUrl(to) : isPath(to)),
    'to must be a path of the app, or, with external, an address that begins with https:// or http://.',
  ),
  v.check(
    (rule) => rule.external || isSpelling(rule) || !GUARD_TARGETS.includes(pathOf(rule.from)),
    'from is a page that the app itself redirects to, so the rule must be external.',
  ),
)

/** The rules with their paths as the app compares them, without those that say the same as another or nothing. */
const normalised = (rules: Rule[]) =>
  rules
    .filter((rule) => !isSpelling(rule))
    .map((rule) => ({ ...rule, from: pathOf(rule.from) }))
    .filter(
      (rule, index, all) =>
        all.findIndex(({ from, to }) => from === rule.from && to === rule.to) === index,
    )

/** Schema of the rules: safe paths or web addresses, one rule per path, no chains and no loops. */
export const RedirectRules = v.pipe(
  v.array(RedirectRule),
  v.transform(normalised),
  v.check(
    (rules) => new Set(rules.map(({ from }) => from)).size === rules.length,
    'each path can have only one rule.',
  ),
  v.check(
    (rules) =>
      rules.every(({ to, external }) => external || !rules.some(({ from }) => from === pathOf(to))),
    'a rule must not lead to a path that has a rule of its own.',
  ),
)
