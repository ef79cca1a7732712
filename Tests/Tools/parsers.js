"use strict";
// Reads the text of a file as a browser does, by the ending of its name. Each function returns what
// is wrong with the text, or nothing.
window.parsers = {
  js: (text) => {
    try { new Function('"use strict";\n' + text); } catch (error) { return String(error); }
    return "";
  },
  css: (text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    const count = (rules) => [...rules].reduce((sum, rule) => sum + 1 + count(rule.cssRules || []), 0);
    const [begun, ended] = ["{", "}"].map((brace) => text.split(brace).length - 1);
    const read = count(sheet.cssRules);
    if (read !== begun || begun !== ended) { return `${read} rules are read of ${begun} begun, ${ended} ended`; }
    for (const [, body] of text.matchAll(/\{([^{}]*)\}/g)) {
      for (const declaration of body.split(";").filter((part) => part.trim())) {
        const [name, ...value] = declaration.replace("!important", "").split(":");
        if (!CSS.supports(name.trim(), value.join(":").trim())) { return "not understood: " + declaration.trim(); }
      }
    }
    return "";
  },
  html: (text) => {
    const filled = text.replace(/\{\{[A-Za-z]+\}\}/g, "");
    if (filled.includes("{{")) { return "a place has no name"; }
    const elements = [...new DOMParser().parseFromString(filled, "text/html").querySelectorAll("*")];
    const written = (form) => (filled.match(form) || []).length;
    const implied = ["html", "head", "body"].filter((name) => !written(new RegExp(`<${name}[ >]`, "g"))).length;
    const closed = elements.filter((element) => element.outerHTML.endsWith(`</${element.localName}>`));
    const [begun, ended] = [elements.length - implied, closed.length - implied];
    return begun === written(/<[a-z]/g) && ended === written(/<\/[a-z]/g)
      ? "" : `${begun} elements are read, ${ended} of them with an end`;
  },
};
