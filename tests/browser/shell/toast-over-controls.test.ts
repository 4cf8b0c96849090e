// A toast appears where a button is: it takes another place, so that the button can be pressed.
import { expect, test } from 'vitest'
import { fillSignIn } from '../fixtures/app.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'

test('a toast leaves the button beneath it free, also under the pointer', async () => {
  const { browser, network, server, url } = await createBrowserFixture()
  const hanna = await ApiUser.register(server.url, 'Hanna Scree')
  const page = await browser.open(`${url}/auth?redirect=%2Fonboarding`)
  await page.setViewportSize({ width: 480, height: 800 })
  await fillSignIn(page, hanna)
  // The toast appears at the end of the first pull.
  const release = network.hold({ path: /\/changes/ })
  await page.getByLabel('Job title').fill('Guide')
  await page.getByRole('button', { name: 'Continue' }).click()
  // The step before has a name as well.
  await page.getByRole('heading', { name: 'Where do you work?', level: 1 }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Scree and Daughters')
  await page.getByRole('button', { name: 'Create organisation' }).click()
  await page.getByRole('heading', { name: 'Who works with you?', level: 1 }).waitFor()
  const finishLater = page.getByRole('button', { name: 'Finish later' })
  await finishLater.scrollIntoViewIfNeeded()
  const box = await finishLater.boundingBox()
  const scrolled = await page.evaluate(() => scrollY)
  await page.setViewportSize({
    width: 480,
    height: Math.ceil(Number(box?.y) + Number(box?.height) + scrolled) + 24,
  })
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await finishLater.hover()
  release()
  const notification = page.getByRole('region', { name: 'Notifications' })
  await notification.getByText('Ready to work offline').waitFor()
  // With the focus it stays.
  await notification.getByRole('button', { name: 'Dismiss' }).focus()
  const isOnTop = await finishLater.evaluate((button) => {
    const { x, y, width, height } = button.getBoundingClientRect()
    const top = document.elementFromPoint(x + width / 2, y + height / 2)
    return button.contains(top)
  })
  expect(isOnTop).toBe(true)
  await finishLater.click()
  // The click did not wait until the toast was gone.
  expect(await notification.innerText()).toContain('Ready to work offline')
  await page.getByRole('link', { name: /^Set up step by step/ }).waitFor()
})
