// Stands in for blocked storage, applies the theme, shows the screen snapshot and keeps key presses before the app's
// modules load. A plain script in the head, so that only the first paint waits for it.

// Where the browser blocks site data, already the name of the storage throws. An empty one stands in for it, without
// `setItem`: storing throws, as in a full one. `sessionStorage` is left as it is: `reload.ts` must know that it keeps
// nothing.
try {
  localStorage.getItem('theme')
} catch {
  Object.defineProperty(window, 'localStorage', {
    value: { getItem: () => null, removeItem() {} },
  })
}

// The service worker has ended the session while the app was closed, and cannot change localStorage: nothing of it is
// shown before the engine has decided, as on a device that may have to forget its user.
if (/(^|; )session_ended=/.test(document.cookie)) {
  localStorage.removeItem('first_picture')
  localStorage.removeItem('first_screen')
  try {
    localStorage.setItem('forget_at', '0')
    document.cookie = 'session_ended=; max-age=0; path=/'
  } catch {
    // No storage: it has no session either.
  }
}

// The theme comes first, so that the page never flashes in the wrong one. The stored setting is
// 'light', 'dark' or 'auto'; 'auto' follows the system, also while the app is open. Code that stores
// another setting dispatches `themechange` on the window; other tabs get a `storage` event.
;(function () {
  var system = matchMedia('(prefers-color-scheme: dark)')
  function apply() {
    var stored = localStorage.getItem('theme')
    var dark = stored === 'dark' || (stored !== 'light' && system.matches)
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
    document.querySelectorAll('meta[name="theme-color"]').forEach(function (meta) {
      meta.content = dark ? '#161a1c' : '#f7f4ee'
    })
  }
  system.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('themechange', apply)
  apply()
})()

// Keeps what is pressed until the app listens, which takes it (`palette-host.tsx`). The snapshot below looks
// as if it could be used.
addEventListener('keydown', function (event) {
  if (!window.earlyKeys) return
  window.earlyKeys.push(event)
  // The browser's own shortcut would take the focus to the address.
  var letter = event.key > '~' && !/\p{sc=Latin}/u.test(event.key) ? event.code.slice(3) : event.key
  if ((event.ctrlKey || event.metaKey) && /^k$/i.test(letter)) event.preventDefault()
})
window.earlyKeys = []

// Shows the snapshot of the last screen until React replaces it. `screen-snapshot.ts` stores it. It is
// shown only to the same user, in the same organisation, at the same path and width, with the same
// stylesheet, and not on a device that may have to forget its user.
;(function () {
  function read(key) {
    return JSON.parse(localStorage.getItem(key))
  }
  function show() {
    var snapshot = read('first_picture')
    var isSignedIn = localStorage.getItem('access_token') && localStorage.getItem('refresh_token')
    if (
      !snapshot ||
      !isSignedIn ||
      Date.now() >= (localStorage.getItem('forget_at') || Infinity) ||
      snapshot.user !== read('user').id ||
      snapshot.organisation !== read('active_organisation').id ||
      snapshot.path !== location.pathname ||
      (location.search !== '' && !/^\?source=\w+$/.test(location.search)) ||
      snapshot.width !== innerWidth ||
      !document.querySelector('link[href="' + snapshot.styles + '"]')
    )
      return
    var screen = document.createElement('div')
    screen.innerHTML = snapshot.html
    // The content security policy forbids inline styles in markup.
    screen.querySelectorAll('[data-style]').forEach(function (element) {
      element.style.cssText = element.dataset.style
    })
    // Input typed into the snapshot would be lost, and its links would reload the page.
    screen.inert = true
    document.title = snapshot.title
    document.getElementById('root').append(screen)
  }
  // Runs when the root element is parsed: the stylesheet is loaded by then, and the modules have not
  // run yet.
  new MutationObserver(function (_, parsing) {
    if (!document.getElementById('root')) return
    parsing.disconnect()
    try {
      show()
    } catch {
      // No storage, or an unreadable snapshot: the app renders a moment later.
    }
  }).observe(document, { childList: true, subtree: true })
})()
