// Runs before the first paint, so that no page flashes in the wrong theme. The stored setting is
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
