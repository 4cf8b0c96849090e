import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { guard as ask, visitorOf, type Visitor } from '../../../src/app/navigation/guards.ts'
import { returnPath } from '../../../src/features/session/return-path.ts'
import { pageAt } from '../../../src/ui/platform/load-page.ts'

const at = (path: string) => new URL(path, 'https://cairn.example')
const UNAUTHENTICATED = { signed_in: false, has_organisation: false, is_owner: false }
const WITHOUT_ORGANISATION = { signed_in: true, has_organisation: false, is_owner: false }
const MEMBER = { signed_in: true, has_organisation: true, is_owner: false }
const OWNER = { ...MEMBER, is_owner: true }
/** The guards' redirect targets inside the app. */
const guard = (url: URL, visitor: Visitor) => ask(url, visitor)?.to
const OWNERS = ['/settings/organisation/billing', '/settings/organisation/plans']

describe('route guards', () => {
  it('send an unauthenticated visitor to sign in and remember the address', () => {
    expect(guard(at('/success-plans/7?tab=2'), UNAUTHENTICATED)).toBe(
      '/auth?redirect=%2Fsuccess-plans%2F7%3Ftab%3D2',
    )
    expect(guard(at('/organisations'), UNAUTHENTICATED)).toBe('/auth?redirect=%2Forganisations')
  })

  it('remember all of the address but a start of the app', () => {
    for (const path of ['/', '/?source=installed'])
      expect(guard(at(path), UNAUTHENTICATED)).toBe('/auth')
    for (const path of ['/?renewals=3', '/?source=installed&review', '/#notes', '/accounts/1?a#b'])
      expect(guard(at(path), UNAUTHENTICATED)).toBe(`/auth?redirect=${encodeURIComponent(path)}`)
    expect(guard(at('/?review#top'), WITHOUT_ORGANISATION)).toBe(
      '/organisations?redirect=%2F%3Freview%23top',
    )
  })

  it('let an unauthenticated visitor open the auth routes', () => {
    for (const path of ['/auth', '/auth/registration', '/onboarding'])
      expect(guard(at(path), UNAUTHENTICATED)).toBeUndefined()
  })

  it('look at the path, not at the query', () => {
    expect(guard(at('/accounts?from=auth'), UNAUTHENTICATED)).toBe(
      '/auth?redirect=%2Faccounts%3Ffrom%3Dauth',
    )
  })

  it('send a user without an organisation to choose one', () => {
    expect(guard(at('/accounts'), WITHOUT_ORGANISATION)).toBe('/organisations?redirect=%2Faccounts')
  })

  it('let a user without an organisation choose one', () => {
    for (const path of ['/organisations', '/auth', '/onboarding'])
      expect(guard(at(path), WITHOUT_ORGANISATION)).toBeUndefined()
  })

  it('need both for a record whose id has a word of theirs', () => {
    const paths = [
      '/success-plans/auth0-migration',
      '/accounts/onboarding',
      '/accounts/organisations-7',
      '/Accounts/onboarding',
      '/%61ccounts/onboarding',
    ]
    for (const path of paths) {
      const redirect = encodeURIComponent(path)
      expect(guard(at(path), UNAUTHENTICATED)).toBe(`/auth?redirect=${redirect}`)
      expect(guard(at(path), WITHOUT_ORGANISATION)).toBe(`/organisations?redirect=${redirect}`)
      expect(guard(at(path), MEMBER)).toBeUndefined()
    }
  })

  it('let a member open every screen', () => {
    for (const path of ['/', '/success-plans', '/accounts/1', '/nowhere'])
      expect(guard(at(path), MEMBER)).toBeUndefined()
  })

  it('keep members who are not the owner out of billing and plans', () => {
    for (const path of OWNERS) {
      expect(guard(at(path), MEMBER)).toBe('/settings/organisation/general')
      // The router treats these as the same route.
      expect(guard(at(`${path}/?from=mail`), MEMBER)).toBe('/settings/organisation/general')
    }
  })

  it('keep them out of every address that the router takes for these', () => {
    const addresses = [
      '/settings/organisation/Billing',
      '/SETTINGS/organisation/plans',
      '/settings/organisation/billing//',
      '/settings/organisation/%62illing',
      '/settings/%6Frganisation/plan%73/',
    ]
    for (const path of addresses) {
      expect(guard(at(path), MEMBER)).toBe('/settings/organisation/general')
      expect(guard(at(path), OWNER)).toBeUndefined()
    }
  })

  it('let the owner open billing and plans', () => {
    for (const path of OWNERS) expect(guard(at(path), OWNER)).toBeUndefined()
  })

  it('let a member open the other settings', () => {
    for (const part of ['profile', 'notifications', 'organisation/general', 'organisation/members'])
      expect(guard(at(`/settings/${part}`), MEMBER)).toBeUndefined()
  })

  it('ask for sign-in and an organisation before they check ownership', () => {
    expect(guard(at('/settings/organisation/billing'), UNAUTHENTICATED)).toBe(
      '/auth?redirect=%2Fsettings%2Forganisation%2Fbilling',
    )
    expect(guard(at('/settings/organisation/billing'), WITHOUT_ORGANISATION)).toBe(
      '/organisations?redirect=%2Fsettings%2Forganisation%2Fbilling',
    )
  })
})

describe('redirect rules from the server', () => {
  const rule = (from: string, to: string, external = false) => ({ from, to, external })
  const HELP = 'https://help.example/start?a=1#b'

  it('redirect to their target', () => {
    const rules = [rule('/old', '/success-plans?view=mine#top')]
    expect(ask(at('/old'), MEMBER, rules)).toEqual({ to: '/success-plans?view=mine#top' })
    expect(ask(at('/old/?from=mail'), MEMBER, rules)).toEqual({
      to: '/success-plans?view=mine#top',
    })
  })

  it('are compared within a moment, however many slashes a link has', () => {
    expect(guard(at(`/a${'/'.repeat(1_000_000)}b`), MEMBER)).toBeUndefined()
  })

  it('apply however the slash at the end and other letters are written in the rule', () => {
    const rules = [rule('/old/', '/accounts'), rule('/früher', '/templates'), rule('/a b/', '/')]
    for (const path of ['/old', '/old/', '/old//'])
      expect(ask(at(path), MEMBER, rules)).toEqual({ to: '/accounts' })
    expect(ask(at('/früher'), MEMBER, rules)).toEqual({ to: '/templates' })
    expect(ask(at('/a%20b'), MEMBER, rules)).toEqual({ to: '/' })
  })

  it('match the exact path only', () => {
    const rules = [rule('/old', '/success-plans')]
    for (const path of ['/', '/older', '/old/one', '/Old', '/accounts?at=/old'])
      expect(ask(at(path), MEMBER, rules)).toBeUndefined()
  })

  it('match no path of another origin, and none with a query', () => {
    const rules = ['', '//old', '//', 'https://other.example/old', '/old?a'].map((from) =>
      rule(from, '/accounts'),
    )
    for (const path of ['/old', '/', '/old?a']) expect(ask(at(path), MEMBER, rules)).toBeUndefined()
  })

  it('leave the app for a target marked as external', () => {
    const rules = [rule('/help', HELP, true)]
    expect(ask(at('/help'), MEMBER, rules)).toEqual({ to: HELP, external: true })
  })

  it('ignore an external target without its mark', () => {
    for (const to of [HELP, '//help.example', '/\\help.example', '/\t/help.example'])
      expect(ask(at('/help'), MEMBER, [rule('/help', to)])).toBeUndefined()
  })

  it('ignore targets with other schemes than http and https', () => {
    for (const to of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])
      expect(ask(at('/help'), MEMBER, [rule('/help', to, true)])).toBeUndefined()
  })

  it('ignore a path that the browser would resolve to another host', () => {
    expect(ask(at('/help'), MEMBER, [rule('/help', '/.//evil.example')])).toBeUndefined()
  })

  it('treat a marked target on the own origin as a route of the app', () => {
    const own = 'https://cairn.example'
    expect(ask(at('/help'), MEMBER, [rule('/help', `${own}/help`, true)])).toBeUndefined()
    expect(ask(at('/help'), MEMBER, [rule('/help', `${own}/accounts`, true)])).toEqual({
      to: '/accounts',
    })
  })

  it('apply after sign-in and the choice of an organisation', () => {
    const rules = [rule('/help', HELP, true)]
    expect(ask(at('/help'), UNAUTHENTICATED, rules)).toEqual({ to: '/auth?redirect=%2Fhelp' })
    expect(ask(at('/help'), WITHOUT_ORGANISATION, rules)).toEqual({
      to: '/organisations?redirect=%2Fhelp',
    })
  })

  it('apply at once on paths that need no sign-in', () => {
    const rules = [rule('/auth/sso', 'https://sso.example/', true)]
    expect(ask(at('/auth/sso'), UNAUTHENTICATED, rules)?.external).toBe(true)
  })

  it('ignore rules that form a circle', () => {
    const circle = [rule('/a', '/b'), rule('/b', '/c?again'), rule('/c', '/a')]
    for (const path of ['/a', '/b', '/c']) expect(ask(at(path), MEMBER, circle)).toBeUndefined()
    expect(ask(at('/a'), MEMBER, [rule('/a', '/a?again')])).toBeUndefined()
    expect(ask(at('/x'), MEMBER, [rule('/x', '/a'), ...circle])).toBeUndefined()
  })

  it('ignore a rule that a guard would redirect back', () => {
    const rules = [rule('/auth', '/accounts'), rule('/organisations', '/accounts')]
    expect(ask(at('/auth'), UNAUTHENTICATED, rules)).toBeUndefined()
    expect(ask(at('/accounts'), UNAUTHENTICATED, rules)).toEqual({
      to: '/auth?redirect=%2Faccounts',
    })
    expect(ask(at('/organisations'), WITHOUT_ORGANISATION, rules)).toBeUndefined()
    expect(ask(at('/accounts'), WITHOUT_ORGANISATION, rules)).toEqual({
      to: '/organisations?redirect=%2Faccounts',
    })
    // Users who have both are not redirected.
    expect(ask(at('/organisations'), MEMBER, rules)).toEqual({ to: '/accounts' })
    const billing = [rule('/settings/organisation/general', '/settings/organisation/billing')]
    expect(ask(at('/settings/organisation/general'), MEMBER, billing)).toBeUndefined()
  })

  it('follow a chain one step at a time', () => {
    const rules = [rule('/a', '/b'), rule('/b', '/c')]
    expect(ask(at('/a'), MEMBER, rules)).toEqual({ to: '/b' })
    expect(ask(at('/b'), MEMBER, rules)).toEqual({ to: '/c' })
  })
})

describe('leaving the app', () => {
  const here = 'https://cairn.example/accounts'
  const lead = (address: string, external: boolean) => pageAt(address, here, external)?.href

  it('is refused for another origin without the external mark', () => {
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

  it('is allowed for another origin with the external mark', () => {
    expect(lead('https://pay.example/a?b#c', true)).toBe('https://pay.example/a?b#c')
  })

  it('needs no mark on the own origin', () => {
    expect(lead('/portal', false)).toBe('https://cairn.example/portal')
  })

  it('is refused for addresses that are not http or https', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      'blob:https://cairn.example/1',
      'file:///etc/passwd',
      'http://',
    ])
      for (const external of [true, false]) expect(lead(address, external)).toBeUndefined()
  })

  it('happens in one module only', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && file !== 'ui/platform/load-page.ts')
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

  it('is unauthenticated without a session', () => {
    expect(visitorOf(null)).toEqual(UNAUTHENTICATED)
  })

  it('owns nothing without an active organisation', () => {
    expect(visitorOf({ user, active_organisation: null })).toEqual(WITHOUT_ORGANISATION)
  })

  it('is the owner as the organisation’s owner, or as a superadmin', () => {
    expect(visitorOf({ user, active_organisation })).toEqual(OWNER)
    const superadmin = { id: 'bob', superadmin: true }
    expect(visitorOf({ user: superadmin, active_organisation })).toEqual(OWNER)
  })

  it('is a member, not the owner, of another user’s organisation', () => {
    const bob = { id: 'bob', superadmin: false }
    expect(visitorOf({ user: bob, active_organisation })).toEqual(MEMBER)
  })
})

describe('the return path', () => {
  it('keeps path, query and fragment', () => {
    expect(returnPath('/accounts/1?tab=2#notes')).toBe('/accounts/1?tab=2#notes')
  })

  it('falls back to the root for an address that is not a path of the app', () => {
    for (const requested of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/\t/evil.example:999999',
      '/\t/[',
      '\\/evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      'javascript:alert(1)',
      ' /success-plans',
      '',
      null,
    ])
      expect(returnPath(requested)).toBe('/')
  })

  it('never leads back to the sign-in screen', () => {
    expect(returnPath('/auth?redirect=%2Fauth')).toBe('/')
  })
})
