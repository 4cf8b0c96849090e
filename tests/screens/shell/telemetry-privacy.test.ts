// What analytics and error reports contain: no user content, names or credentials.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageOf, PAGES } from '../../../contract/schemas/vitals.ts'
import { pagePath } from '../../../src/app/telemetry/page-path.ts'
import { scrub, scrubUrl } from '../../../src/app/telemetry/scrub.ts'

const root = join(import.meta.dirname, '../../..')
const ID = '0199d3b0-7c1e-7a51-9d6b-3f4e8a2c1b00'
const TOKEN = 'q3Zr8VbXw1LkT5mYpE0sGdNcHu9AaJf2'
const place = (address: string) => pagePath(new URL(address, 'https://cairn.example.com'))

test.for([
  [`/success-plans/${ID}`, `/success-plans/${ID}`],
  [`/success-plans/${ID}?show=initiatives`, `/success-plans/${ID}?show=initiatives`],
  [`/success-plans/new?account=${ID}`, `/success-plans/new?account=${ID}`],
  ['/accounts/42', '/accounts/42'],
  ['/accounts/9007199254740993', '/accounts/9007199254740993'],
  ['/success-plans/01J9ZK8W7Q4V2M5N6P7R8S9T0A', '/success-plans/01J9ZK8W7Q4V2M5N6P7R8S9T0A'],
  ['/templates?new', '/templates?new'],
  ['/settings/organisation/billing', '/settings/organisation/billing'],
  ['/success-plans?view=overdue&sort=-updated_at', '/success-plans?view=overdue&sort=-updated_at'],
  ['/success-plans?status=in-progress&end=month', '/success-plans?status=in-progress&end=month'],
  ['/success-plans?import=updates', '/success-plans?import=updates'],
  ['/success-plans?review', '/success-plans?review'],
  ['/accounts?tier=tech-touch&renewal=90', '/accounts?tier=tech-touch&renewal=90'],
  [`/initiatives?open=${ID}&group=health`, `/initiatives?open=${ID}&group=health`],
  ['/?renewals&risk=high', '/?renewals&risk=high'],
  ['/auth?forgotten', '/auth?forgotten'],
])('a page view has the full path: %s', ([address = '', told]) => {
  expect(place(address)).toBe(told)
})

test.for([
  ['/success-plans?search=Aurora+rollout&view=mine', '/success-plans?view=mine'],
  [`/auth#reset_token=${TOKEN}`, '/auth'],
  [`/auth/registration?invite_token=${TOKEN}`, '/auth/registration'],
  [`/auth?redirect=%2Fsuccess-plans%3Fsearch%3DAurora`, '/auth'],
  [`/reset/${TOKEN}`, '/reset/…'],
  ['/ada@example.com', '/…'],
  ['/Aurora%20rollout', '/…'],
  ['/success-plans/Aurora%20rollout', '/success-plans/…'],
  ['/templates?edit=Ask+Mia+about+it', '/templates'],
  ['/accounts?owner=mia&status=Ask+Mia', '/accounts'],
])('a page view has no user input or secret: %s', ([address = '', told]) => {
  expect(place(address)).toBe(told)
})

test.for([
  ['Ada Lovelace is not a member of Fjell Energi', '[name] is not a member of [name]'],
  ['no user ADA here', 'no user [name] here'],
  ['mia.berg+x@example.com was asked', '[email] was asked'],
  [`Bearer ${TOKEN} was refused`, '[token] was refused'],
  [`got ${TOKEN}!`, 'got [token]!'],
  [
    `at https://cairn.example.com/auth?x=1#reset_token=${TOKEN} it`,
    'at https://cairn.example.com/auth it',
  ],
  ['at /success-plans?search=Aurora it', 'at /success-plans it'],
  [
    `Unexpected token 'T', "The "big" one" is not valid JSON`,
    `Unexpected token 'T', [quoted] is not valid JSON`,
  ],
  [`I can't find 'what Mia wrote' here`, `I can't find [quoted] here`],
])('an error report has no user input, name or secret: %s', ([message = '', told]) => {
  expect(scrub(message, ['Ada Lovelace', 'Fjell Energi'])).toBe(told)
})

test.for([
  `Cannot read properties of undefined (reading 'title')`,
  `The record ${ID} has no version`,
  'Minified React error of objects that are no child',
])('an error report keeps what broke: %s', (message) => {
  expect(scrub(message, ['Ada Lovelace'])).toBe(message)
})

test('a stack frame keeps the name of its file', () => {
  const file = 'https://cairn.example.com/assets/detail-screen-DuV_Uja01234567.js'
  expect(scrubUrl(`${file}?v=1`)).toBe(file)
  expect(scrubUrl('<anonymous>')).toBe('[address]')
})

test('what is measured belongs to the routes of the app', () => {
  const map = readFileSync(join(root, 'src/routes.tsx'), 'utf8')
  const routes = [...map.matchAll(/^ +'(\/[^']*)': lazyScreen/gm)].map(([, path]) => path)
  expect(routes.length).toBeGreaterThan(15)
  expect(new Set(PAGES.filter((page) => page !== 'other'))).toEqual(new Set(routes))
})

test.for([
  ['/', '/'],
  ['/success-plans/new', '/success-plans/new'],
  [`/success-plans/${ID}`, '/success-plans/:id'],
  ['/accounts/42/', '/accounts/:id'],
  ['/settings/organisation/members', '/settings/organisation/members'],
  ['/settings/organisation', 'other'],
  [`/success-plans/${ID}/more`, 'other'],
  ['/Aurora%20rollout', 'other'],
  ['', 'other'],
])('a measurement names no more than the pattern of a path: %s', ([path = '', page]) => {
  expect(pageOf(path)).toBe(page)
})

test('an error of one long word is cleared of names within a moment', () => {
  const word = 'a.'.repeat(500_000)
  expect(scrub(word, [])).toBe(word)
})
