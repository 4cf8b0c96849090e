// The bot check protects its forms from the first key press on, and does not get in the way elsewhere.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import {
  chooseSignOut,
  fillSignIn,
  pickOrganisation,
  waitForOfflineReady,
} from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const KEY = 'public-key-of-the-check'
/** What Google's script adds to a page: its API and its badge. */
const SCRIPT = `
  const badge = document.createElement('div')
  badge.className = 'grecaptcha-badge'
  badge.textContent = 'protected'
  document.body.append(badge)
  window.grecaptcha = {
    ready: (then) => then(),
    execute: (key, { action }) => Promise.resolve(key + ' ' + action),
  }`

/** Stands in for Google: its script, and the verifier that the server calls. */
async function startCheck() {
  const scriptRequests: string[] = []
  const verified: string[] = []
  const check = { asked: scriptRequests, verified, origin: '', env: {}, isBroken: false }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://check')
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (pathname === '/siteverify') {
        const token = new URLSearchParams(Buffer.concat(parts).toString()).get('response') ?? ''
        verified.push(token)
        const action = token.split(' ')[1]
        response.end(JSON.stringify({ success: token.startsWith(KEY), score: 0.9, action }))
        return
      }
      scriptRequests.push(request.url ?? '')
      response.writeHead(check.isBroken ? 503 : 200, { 'Content-Type': 'text/javascript' })
      response.end(check.isBroken ? '' : SCRIPT)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  check.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  check.env = {
    RECAPTCHA_KEY: KEY,
    RECAPTCHA_SECRET: 'secret-of-the-check',
    RECAPTCHA_SCRIPT_URL: `${check.origin}/recaptcha/api.js`,
    RECAPTCHA_URL: `${check.origin}/siteverify`,
  }
  return check
}

async function fill(page: Page, name: string) {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('a-cairn-on-the-ridge')
  await page.getByLabel('Repeat the password').fill('a-cairn-on-the-ridge')
}
const create = (page: Page) => page.getByRole('button', { name: 'Create account' }).click()

longTest(
  'the bot check loads on guarded forms only, and a form is sent although it fails to load',
  async () => {
    const check = await startCheck()
    const { ada, browser, network, server, url } = await createBrowserFixture({
      env: check.env,
      origins: [check.origin],
    })
    // Neither signing in nor the rest of the app loads it.
    const page = await browser.open(`${url}/success-plans`)
    await fillSignIn(page, ada)
    await pickOrganisation(page)
    await chooseSignOut(page)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()

    await page.getByRole('link', { name: 'Forgotten your password?' }).click()
    await page.getByText(/protected by reCAPTCHA/).waitFor()
    expect(await page.getByRole('button', { name: 'Continue with Google' }).count()).toBe(0)
    expect(check.asked).toEqual([])
    await page.getByLabel('Email').fill(ada.email)
    await waitUntil('the bot check has loaded', () => check.asked.length > 0)
    // The script has run.
    await page.locator('.grecaptcha-badge').waitFor({ state: 'attached' })
    expect(await page.locator('.grecaptcha-badge').isHidden()).toBe(true)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    expect(check.asked).toEqual([`/recaptcha/api.js?render=${KEY}`])

    await page.goto(`${url}/auth/registration`)
    await page.getByRole('link', { name: 'Terms of Service' }).waitFor()
    await fill(page, 'Dora')
    await create(page)
    await page.getByRole('heading', { name: 'Who are you?' }).waitFor()
    expect(check.verified).toEqual([`${KEY} forgot_password`, `${KEY} register`])

    // When the script cannot be loaded, the form is submitted and the server decides.
    check.isBroken = true
    const other = await browser.context.browser()?.newContext()
    if (!other) throw new Error('There is no other window to be had.')
    other.setDefaultTimeout(40_000)
    const outsider = await other.newPage()
    await outsider.goto(`${url}/auth/registration`)
    await fill(outsider, 'Emil')
    await create(outsider)
    await outsider.getByText(/We could not tell that you are a person/).waitFor()
    expect(await outsider.getByLabel('Your name').inputValue()).toBe('Emil')
    await server.stop()
    await server.start({ env: { ...check.env, RECAPTCHA_SECRET: '' } })
    // While the server was down the app may have counted as offline.
    await waitUntil('the form can be submitted again', async () => {
      const button = outsider.getByRole('button', { name: 'Create account' })
      return (await button.getAttribute('aria-disabled')) === null
    })
    await create(outsider)
    await outsider.getByRole('heading', { name: 'Who are you?' }).waitFor()
    expect(network.requests('POST', /register$/).map(({ upstream }) => upstream)).toEqual([
      201, 422, 201,
    ])
    await other.close()
  },
)

test('a bot check configured later reaches a page that the service worker has cached', async () => {
  const check = await startCheck()
  const { ada, browser, server, url } = await createBrowserFixture({ origins: [check.origin] })
  const page = await browser.open(`${url}/success-plans`)
  await fillSignIn(page, ada)
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  await chooseSignOut(page)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const policyOf = () =>
    page.evaluate(async () => {
      const cached = await caches.match('/index.html')
      return cached?.headers.get('Content-Security-Policy')
    })
  expect(await policyOf()).not.toContain(check.origin)

  await server.stop()
  await server.start({ env: check.env })
  await page.reload()
  await waitUntil('the cached page has the current policy', async () =>
    (await policyOf())?.includes(check.origin),
  )
  await page.goto(`${url}/auth?forgotten`)
  // The last known configuration has no bot check yet, and fills in the form before the present one is read.
  await page.getByText(/protected by reCAPTCHA/).waitFor()
  await page.getByLabel('Email').fill(ada.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  expect(check.verified).toEqual([`${KEY} forgot_password`])
})
