import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { guard as ask, visitorOf, type Visitor } from '../../src/app/guards.ts'
import { returnPath } from '../../src/features/session/return-path.ts'
import { pageAt } from '../../src/ui/load-page.ts'

const at = (path: string) => new URL(path, 'https://cairn.example')
const STRANGER = { signed_in: false, has_organisation: false, is_owner: false }
const NOWHERE = { signed_in: true, has_organisation: false, is_owner: false }
const MEMBER = { signed_in: true, has_organisation: true, is_owner: false }
const OWNER = { ...MEMBER, is_owner: true }
/** Where they send, inside of the app. */
const guard = (url: URL, visitor: Visitor) => ask(url, visitor)?.to
const OWNERS = ['/settings/organisation/billing', '/settings/organisation/plans']

describe('the guards', () => {
  it('stranger-sees-a-screen', () => {
    expect(guard(at('/success-plans/7?tab=2'), STRANGER)).toBe(
      '/auth?redirect=%2Fsuccess-plans%2F7%3Ftab%3D2',
    )
    expect(guard(at('/organisations'), STRANGER)).toBe('/auth?redirect=%2Forganisations')
    expect(guard(at('/'), STRANGER)).toBe('/auth')
  })

  it('stranger-cannot-sign-in', () => {
    for (const path of ['/auth', '/auth/registration', '/onboarding'])
      expect(guard(at(path), STRANGER)).toBeUndefined()
  })

  it('query-opens-the-door', () => {
    expect(guard(at('/accounts?from=auth'), STRANGER)).toBe(
      '/auth?redirect=%2Faccounts%3Ffrom%3Dauth',
    )
  })

  it('signed-in-without-organisation-sees-a-screen', () => {
    expect(guard(at('/accounts'), NOWHERE)).toBe('/organisations?redirect=%2Faccounts')
  })

  it('signed-in-without-organisation-cannot-choose-one', () => {
    for (const path of ['/organisations', '/auth', '/onboarding'])
      expect(guard(at(path), NOWHERE)).toBeUndefined()
  })

  it('member-is-sent-away', () => {
    for (const path of ['/', '/success-plans', '/accounts/1', '/nowhere'])
      expect(guard(at(path), MEMBER)).toBeUndefined()
  })

  it('member-sees-what-is-paid', () => {
    for (const path of OWNERS) {
      expect(guard(at(path), MEMBER)).toBe('/settings/organisation/general')
      // The router takes these for the same place.
      expect(guard(at(`${path}/?from=mail`), MEMBER)).toBe('/settings/organisation/general')
    }
  })

  it('owner-cannot-see-what-is-paid', () => {
    for (const path of OWNERS) expect(guard(at(path), OWNER)).toBeUndefined()
  })

  it('member-is-kept-from-the-other-settings', () => {
    for (const part of ['profile', 'notifications', 'organisation/general', 'organisation/members'])
      expect(guard(at(`/settings/${part}`), MEMBER)).toBeUndefined()
  })

  it('stranger-is-sent-to-the-settings-instead-of-the-sign-in', () => {
    expect(guard(at('/settings/organisation/billing'), STRANGER)).toBe(
      '/auth?redirect=%2Fsettings%2Forganisation%2Fbilling',
    )
    expect(guard(at('/settings/organisation/billing'), NOWHERE)).toBe(
      '/organisations?redirect=%2Fsettings%2Forganisation%2Fbilling',
    )
  })
})

describe('the rules of the server', () => {
  const rule = (from: string, to: string, external = false) => ({ from, to, external })
  const HELP = 'https://help.example/start?a=1#b'

  it('rule-is-not-followed', () => {
    const rules = [rule('/old', '/success-plans?view=mine#top')]
    expect(ask(at('/old'), MEMBER, rules)).toEqual({ to: '/success-plans?view=mine#top' })
    expect(ask(at('/old/?from=mail'), MEMBER, rules)).toEqual({
      to: '/success-plans?view=mine#top',
    })
  })

  it('rule-is-for-another-path', () => {
    const rules = [rule('/old', '/success-plans')]
    for (const path of ['/', '/older', '/old/one', '/Old', '/accounts?at=/old'])
      expect(ask(at(path), MEMBER, rules)).toBeUndefined()
  })

  it('external-target-is-taken-for-a-path', () => {
    const rules = [rule('/help', HELP, true)]
    expect(ask(at('/help'), MEMBER, rules)).toEqual({ to: HELP, external: true })
  })

  it('external-target-is-followed-without-its-mark', () => {
    for (const to of [HELP, '//help.example', '/\\help.example', '/\t/help.example'])
      expect(ask(at('/help'), MEMBER, [rule('/help', to)])).toBeUndefined()
  })

  it('rule-runs-code', () => {
    for (const to of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])
      expect(ask(at('/help'), MEMBER, [rule('/help', to, true)])).toBeUndefined()
  })

  it('path-of-the-app-is-another-host-for-the-browser', () => {
    expect(ask(at('/help'), MEMBER, [rule('/help', '/.//evil.example')])).toBeUndefined()
  })

  it('own-address-that-is-marked-is-loaded-again-and-again', () => {
    const own = 'https://cairn.example'
    expect(ask(at('/help'), MEMBER, [rule('/help', `${own}/help`, true)])).toBeUndefined()
    expect(ask(at('/help'), MEMBER, [rule('/help', `${own}/accounts`, true)])).toEqual({
      to: '/accounts',
    })
  })

  it('rule-comes-before-signing-in-or-choosing', () => {
    const rules = [rule('/help', HELP, true)]
    expect(ask(at('/help'), STRANGER, rules)).toEqual({ to: '/auth?redirect=%2Fhelp' })
    expect(ask(at('/help'), NOWHERE, rules)).toEqual({ to: '/organisations?redirect=%2Fhelp' })
  })

  it('rule-for-a-path-that-strangers-see-waits-for-a-sign-in', () => {
    const rules = [rule('/auth/sso', 'https://sso.example/', true)]
    expect(ask(at('/auth/sso'), STRANGER, rules)?.external).toBe(true)
  })

  it('rule-leads-in-a-circle', () => {
    const circle = [rule('/a', '/b'), rule('/b', '/c?again'), rule('/c', '/a')]
    for (const path of ['/a', '/b', '/c']) expect(ask(at(path), MEMBER, circle)).toBeUndefined()
    expect(ask(at('/a'), MEMBER, [rule('/a', '/a?again')])).toBeUndefined()
    expect(ask(at('/x'), MEMBER, [rule('/x', '/a'), ...circle])).toBeUndefined()
  })

  it('rule-and-guard-lead-back-and-forth', () => {
    const rules = [rule('/auth', '/accounts'), rule('/organisations', '/accounts')]
    expect(ask(at('/auth'), STRANGER, rules)).toBeUndefined()
    expect(ask(at('/accounts'), STRANGER, rules)).toEqual({ to: '/auth?redirect=%2Faccounts' })
    expect(ask(at('/organisations'), NOWHERE, rules)).toBeUndefined()
    expect(ask(at('/accounts'), NOWHERE, rules)).toEqual({
      to: '/organisations?redirect=%2Faccounts',
    })
    // Nobody leads those back who have both.
    expect(ask(at('/organisations'), MEMBER, rules)).toEqual({ to: '/accounts' })
    const billing = [rule('/settings/organisation/general', '/settings/organisation/billing')]
    expect(ask(at('/settings/organisation/general'), MEMBER, billing)).toBeUndefined()
  })

  it('chain-ends-early', () => {
    const rules = [rule('/a', '/b'), rule('/b', '/c')]
    expect(ask(at('/a'), MEMBER, rules)).toEqual({ to: '/b' })
    expect(ask(at('/b'), MEMBER, rules)).toEqual({ to: '/c' })
  })
})

describe('the way out', () => {
  const here = 'https://cairn.example/accounts'
  const lead = (address: string, external: boolean) => pageAt(address, here, external)?.href

  it('another-site-without-the-mark', () => {
    for (const address of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'https://cairn.example@evil.example',
      'https://cairn.example.evil.example',
      'http://cairn.example/accounts',
      'https://cairn.example:444/',
    ])
      expect(lead(address, false)).toBeUndefined()
  })

  it('marked-site-is-refused', () => {
    expect(lead('https://pay.example/a?b#c', true)).toBe('https://pay.example/a?b#c')
  })

  it('own-page-needs-a-mark', () => {
    expect(lead('/portal', false)).toBe('https://cairn.example/portal')
  })

  it('address-runs-here', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:https://cairn.example/1',
      'file:///etc/passwd',
      'http://',
    ])
      for (const external of [true, false]) expect(lead(address, external)).toBeUndefined()
  })

  it('another-way-out', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && file !== 'ui/load-page.ts')
      .filter((file) =>
        /\blocation\.(assign|replace)\(|\blocation\.href = |window\.open\(/.test(
          readFileSync(`src/${file}`, 'utf8'),
        ),
      )
    expect(sources).toEqual([])
  })
})

describe('a visitor', () => {
  const user = { id: 'ada', superadmin: false }
  const active_organisation = { id: 'ridge', user_id: 'ada' }

  it('nobody-is-somebody', () => {
    expect(visitorOf(null)).toEqual(STRANGER)
  })

  it('owner-of-no-organisation', () => {
    expect(visitorOf({ user, active_organisation: null })).toEqual(NOWHERE)
  })

  it('owner-is-not-known-as-such', () => {
    expect(visitorOf({ user, active_organisation })).toEqual(OWNER)
    const superadmin = { id: 'bob', superadmin: true }
    expect(visitorOf({ user: superadmin, active_organisation })).toEqual(OWNER)
  })

  it('member-passes-for-the-owner', () => {
    const bob = { id: 'bob', superadmin: false }
    expect(visitorOf({ user: bob, active_organisation })).toEqual(MEMBER)
  })
})

describe('the way back', () => {
  it('place-is-forgotten', () => {
    expect(returnPath('/accounts/1?tab=2#notes')).toBe('/accounts/1?tab=2#notes')
  })

  it('redirect-leads-to-another-site', () => {
    for (const asked of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '\\/evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      'javascript:alert(1)',
      ' /success-plans',
      '',
      null,
    ])
      expect(returnPath(asked)).toBe('/')
  })

  it('sign-in-leads-back-to-sign-in', () => {
    expect(returnPath('/auth?redirect=%2Fauth')).toBe('/')
  })
})
