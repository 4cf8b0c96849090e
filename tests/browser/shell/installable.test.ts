// The browser can install the app, and no screen violates the security policy or contacts another
// origin.
import { expect, test } from 'vitest'
import { openPlan, waitForOfflineReady, signIn } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { longTest } from '../../long-test.ts'

interface AppManifest {
  errors: { message: string }[]
  data?: string
}

longTest('the app meets the browser’s criteria for installation', async () => {
  const scene = await createBrowserFixture({ newDevice: true })
  const page = await scene.browser.open()
  await signIn(page, scene.url, scene.ada)
  await waitForOfflineReady(page)
  const devtools = await scene.browser.context.newCDPSession(page)
  const manifest = (await devtools.send('Page.getAppManifest')) as AppManifest
  expect(manifest.errors).toEqual([])
  const { icons, start_url } = JSON.parse(manifest.data ?? '{}') as {
    icons: { src: string; type: string }[]
    start_url: string
  }
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
  for (const { src, type } of icons) {
    const answer = await fetch(scene.server.url + src)
    expect([src, answer.status, answer.headers.get('content-type')]).toEqual([src, 200, type])
  }

  const registered = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return { scope: registration.scope, script: registration.active?.scriptURL }
  })
  expect(registered).toEqual({ scope: `${scene.url}/`, script: `${scene.url}/sw.js` })

  // Opened from the device's home screen, offline.
  await scene.network.goDown()
  await page.goto(scene.url + start_url)
  await page.getByRole('heading', { name: /^What needs your attention/, level: 1 }).waitFor()
  await page.getByRole('link', { name: /^(Success plans|Plans)$/ }).click()
  await openPlan(page, scene.plan)
})

test('pages from the service worker have the server’s content security policy', async () => {
  const scene = await createBrowserFixture({ newDevice: true })
  const page = await scene.browser.open()
  await signIn(page, scene.url, scene.ada)
  await waitForOfflineReady(page)
  const policies = []
  for (const path of ['/success-plans', '/index.html']) {
    const answer = await page.goto(scene.url + path)
    policies.push(answer?.headers()['content-security-policy'])
  }
  expect(policies[0]).toContain("script-src 'self'")
  expect(policies[1]).toBe(policies[0])
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script')
    script.textContent = 'window.ran = true'
    const refused = new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', resolve, { once: true })
    })
    document.body.append(script)
    await refused
    return 'ran' in window
  })
  expect(ran).toBe(false)
  // This violation was intended.
  scene.pageErrors.splice(0)
})
