/** The one line of script of a page to compare with. */
document.body.dataset.ran = 'yes';
