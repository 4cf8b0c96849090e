// What the first paint needs, before any of the app is here: the theme, and the screen as it was last seen.
// It is a plain script in the head, so that nothing waits for it but the paint.

// The theme comes first, so that no page flashes in the wrong one. The stored setting is
// 'light', 'dark' or 'auto'; `auto` follows the system, also while the app is open. Whoever stores
// another one dispatches `themechange` on the window; other tabs follow by themselves.
;(function () {
  var system = matchMedia('(prefers-color-scheme: dark)')
  function apply() {
    var stored = null
    try {
      stored = localStorage.getItem('theme')
    } catch {
      // Storage is forbidden here: the system decides.
    }
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

// Shows the screen as it was last seen; the app then takes its place. What it shows is kept by
// `first-picture.ts`. It is shown to the user whose it is, in the organisation that it is of, at its
// address, under the same styles and as wide as it was.
;(function () {
  function read(key) {
    return JSON.parse(localStorage.getItem(key))
  }
  function show() {
    var picture = read('first_picture')
    var isSignedIn = localStorage.getItem('access_token') && localStorage.getItem('refresh_token')
    if (
      !picture ||
      !isSignedIn ||
      picture.user !== read('user').id ||
      picture.organisation !== read('active_organisation').id ||
      picture.path !== location.pathname ||
      (location.search !== '' && !/^\?source=\w+$/.test(location.search)) ||
      picture.width !== innerWidth ||
      !document.querySelector('link[href="' + picture.styles + '"]')
    )
      return
    var screen = document.createElement('div')
    screen.innerHTML = picture.html
    // The security policy allows no styles in markup.
    screen.querySelectorAll('[data-style]').forEach(function (element) {
      element.style.cssText = element.dataset.style
    })
    // What is typed into a picture would be lost, and its links would load the page anew.
    screen.inert = true
    document.title = picture.title
    document.getElementById('root').append(screen)
  }
  // The frame after that with the styles shows it; the modules, which wait for the styles, have not begun.
  new MutationObserver(function (_, parsing) {
    if (!document.getElementById('root')) return
    parsing.disconnect()
    try {
      show()
    } catch {
      // No storage, or nothing to be made of it: the app shows itself a moment later.
    }
  }).observe(document, { childList: true, subtree: true })
})()
