// The screens for registration, onboarding and settings, in light and dark, on a phone and on a desktop.
import { expect, test } from 'vitest'
import { waitForOfflineReady, signIn } from '../fixtures/app.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'

test('sign-in, onboarding and settings have no axe violation', async () => {
  const { ada, browser, url } = await createBrowserFixture()
  await ada.call('POST', '/api/v1/organisation-invites', { email: 'ole@example.com' })
  const page = await browser.open()
  const faults: string[] = []
  const look = async (path: string, heading: string) => {
    await page.goto(url + path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    faults.push(...(await axeViolationsOf(page, path)))
  }

  await look('/auth?forgotten', 'Forgotten your password?')
  await look('/auth/registration#invite_token=over', 'Create your account')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('Please fix the following').waitFor()
  faults.push(...(await axeViolationsOf(page, 'registration, with errors')))
  await signIn(page, url, ada)
  await waitForOfflineReady(page)
  for (const [step, heading] of [
    ['profile', 'Who are you?'],
    ['invite', 'Who works with you?'],
    ['install', 'Install the app'],
    ['ready', 'You are set up'],
  ] as const)
    await look(`/onboarding?step=${step}`, heading)
  for (const [path, heading, content] of [
    ['profile', 'Profile', 'Job title'],
    ['notifications', 'Notifications', 'No update for a while'],
    ['organisation/general', 'General', 'Delete this organisation'],
    ['organisation/members', 'Members', 'ole@example.com'],
    ['organisation/billing', 'Billing', 'Open success plans'],
    ['organisation/plans', 'Pricing', 'Your plan'],
  ] as const) {
    await page.goto(`${url}/settings/${path}`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await page.getByText(content).first().waitFor()
    faults.push(...(await axeViolationsOf(page, heading)))
  }
  await page.getByRole('link', { name: 'General' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').waitFor()
  faults.push(...(await axeViolationsOf(page, 'deleting the organisation')))
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(`${url}/settings`)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  faults.push(...(await axeViolationsOf(page, 'the list of settings')))
  expect(faults).toEqual([])
})
