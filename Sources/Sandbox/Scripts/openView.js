"use strict";
payex.hostedView.FUNCTION_NAME({ container: "checkout" }).open();
